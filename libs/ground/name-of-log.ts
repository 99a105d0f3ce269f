/** By which name this process knows the log that it is on, whatever the database has by now. */
export type NameOfLog = {
  readonly known: () => string | undefined;
  readonly learn: (name: string) => void;
};

/** The first one stays: the process is on one log as long as it lives. */
export const createNameOfLog = (): NameOfLog => {
  let name: string | undefined;
  return {
    known: () => name,
    learn: (found) => {
      name ??= found;
    },
  };
};
