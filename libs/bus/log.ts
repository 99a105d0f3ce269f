/** Where a carrier tells of reconnects and failures. */
export type BusLog = {
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
  /** `alert` names what somebody has to look at. */
  readonly error: (message: string, alert: string) => void;
};

const nothing = (): void => undefined;

export const silentLog: BusLog = { info: nothing, warn: nothing, error: nothing };
