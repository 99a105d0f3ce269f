import { isRefused, isUndone } from '#platform/postgres';
import { ConnectionLost, NotAsked, WritesRefused } from '../store.ts';

/**
 * SQLSTATE classes and codes after which nobody knows what became of the statement, or it may well be taken another
 * time: connection, deadlock, resources, cancelled, shutdown, trouble with the disk, a server that became a standby.
 */
const LOST_STATES = /^(08|25006|40|53|55P03|57|58)/;
const LOST_ERRNO = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETDOWN',
  'EHOSTDOWN',
  'ECONNABORTED',
]);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** pg reports a socket that closed under a query, and a pool that could not connect in time, without a code. */
const LOST_MESSAGE =
  /connection (terminated|ended)|timeout exceeded when trying to connect|query read timeout|timeout expired|not queryable|client was closed/i;

const isLost = (error: unknown): boolean => {
  const code = codeOf(error);
  return LOST_STATES.test(code) || LOST_ERRNO.has(code) || (error instanceof Error && LOST_MESSAGE.test(error.message));
};

const kindOf = (error: unknown) => {
  if (isRefused(error)) return WritesRefused;
  return isUndone(error) ? NotAsked : ConnectionLost;
};

/** Runs a query; a dead connection becomes `ConnectionLost`, everything else stays what it is. */
export const orConnectionLost = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ConnectionLost || !isLost(error)) throw error;
    throw new (kindOf(error))(`Postgres: ${(error as Error).message}`, { cause: error });
  }
};

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';
