/** What a runner says, as pino takes it. Asked for and not optional: a projection that stops must be heard. */
export type ProjectionLogger = {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
};
