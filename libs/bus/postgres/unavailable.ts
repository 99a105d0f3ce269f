import { BusError, reasonOf } from '../errors.ts';

/** Tells the port's own errors from the server's. */
export const asBusError = (doing: string) => {
  return (error: unknown): never => {
    if (error instanceof BusError) throw error;
    throw new BusError('unavailable', `The bus could not ${doing} on Postgres: ${reasonOf(error)}`, error);
  };
};
