import { StreamDeletedError, StreamNotFoundError } from '@eventstore/db-client';
import { BrokenHistory } from '../errors.ts';
import { ConnectionLost } from '../store.ts';

/**
 * gRPC codes after which nobody knows what became of the call: unavailable, deadline exceeded, cancelled, and internal
 * (a graceful stop resets its streams). Some errors of the client have no type, only these.
 */
const LOST_CODES = new Set([14, 4, 1, 13]);

/** "Commit phase timeout", a consumer that was too slow: both are over without an outcome. */
const LOST_TYPES = new Set(['timeout', 'unavailable', 'deadline-exceeded', 'cancelled', 'not-leader']);

/** Said without a code or a type, by a server that starts and by a client that finds none. */
const LOST_MESSAGE = /Server Is Not Ready|Failed to (discover|connect)/i;

const field = (error: object, name: 'code' | 'type'): unknown =>
  Object.entries(error).find(([key]) => key === name)?.[1];

const isLost = (error: Error): boolean => {
  const [code, type] = [field(error, 'code'), field(error, 'type')];
  return (
    (typeof code === 'number' && LOST_CODES.has(code)) ||
    (typeof type === 'string' && LOST_TYPES.has(type)) ||
    LOST_MESSAGE.test(error.message)
  );
};

/** The client's error in the words of the log. */
export const translated = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(`EventStoreDB: ${String(error)}`);
  if (isLost(error)) return new ConnectionLost(`EventStoreDB: ${error.message}`, { cause: error });
  if (error instanceof StreamDeletedError)
    return new BrokenHistory(`EventStoreDB: a stream was deleted, which the log never does: ${error.message}`, {
      cause: error,
    });
  return error;
};

export const isMissingStream = (error: unknown): boolean => error instanceof StreamNotFoundError;
