import { isNativeError } from 'node:util/types';
import { codeOf } from './describe-failure.ts';

const NO_CONNECTION = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  // The server has none left, or is starting up or shutting down.
  ...['53300', '57P03'],
]);

/** Of the pool: all are taken, or the server does not answer to a new one. */
const NONE_IN_TIME = /^timeout exceeded when trying to connect|^Connection terminated due to connection timeout/;

const NO_ANSWER = new Set([
  ...['ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'],
  // Cancelled by the time that a statement may take; ended by an administrator, or by a crash.
  ...['57014', '57P01', '57P02'],
  // Its transaction was left open for too long: this process, or its machine, stood still.
  '25P03',
]);

const UNANSWERED = /^Query read timeout|^Connection terminated|^Client has encountered a connection error/;

/**
 * Written is nothing while it is read-only: a standby, or `default_transaction_read_only`. What wants for a disk or for
 * memory is rolled back where the server goes on, which an ERROR says; where it ends, nobody knows.
 */
const READ_ONLY = '25006';
const IN_WANT = /^53|^58030$/;

const messageOf = (error: unknown): string => (isNativeError(error) ? error.message : '');

/** The same network that cannot be reached may go away under a question that was sent. */
const wasConnected = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'syscall' in error && /^(read|write)/.test(String(error.syscall));

/** Of those who wanted a connection, and got none: by its words alone one that was cut in use says the same. */
const unconnected = new WeakSet<object>();

/** Whatever it says: this failure is of making a connection, over which nothing was asked. */
export const noteUnconnected = (error: unknown): void => {
  if (isNativeError(error)) unconnected.add(error);
};

const isUnconnected = (error: unknown): boolean =>
  (isNativeError(error) && unconnected.has(error)) ||
  NONE_IN_TIME.test(messageOf(error)) ||
  (NO_CONNECTION.has(codeOf(error) ?? '') && !wasConnected(error));

const isError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'severity' in error && error.severity === 'ERROR';

/** The database is read-only, as after it became a standby: so is every transaction of that connection. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY;

/** Nothing came for longer than the question had: of what may lie at the end of its connection, nobody knows. */
export const isSilent = (error: unknown): boolean => /^Query read timeout/.test(messageOf(error));

/** It answers, and takes nothing now: what this statement would have done is not done. */
export const isRefused = (error: unknown): boolean =>
  isReadOnly(error) || (IN_WANT.test(codeOf(error) ?? '') && isError(error));

class NothingRecorded extends Error {
  override readonly name = 'NothingRecorded';
}

/** The database was not even asked, or refused, or only asked: what this would have done is not done. */
export const isUndone = (error: unknown): boolean =>
  isUnconnected(error) || isRefused(error) || error instanceof NothingRecorded;

/** It does not answer, or not in time: what it was asked to do may be done. */
export const isAway = (error: unknown): boolean =>
  isUndone(error) || NO_ANSWER.has(codeOf(error) ?? '') || UNANSWERED.test(messageOf(error));

/** For what only reads, or takes what nobody misses: also where no answer came of it nothing is recorded. */
export const orUndone = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (isUndone(cause) || !isAway(cause)) throw cause;
    throw new NothingRecorded(messageOf(cause), { cause });
  }
};
