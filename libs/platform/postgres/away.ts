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
  ...['ECONNRESET', 'ETIMEDOUT', 'EPIPE'],
  // Cancelled by the time that a statement may take; ended by an administrator, or by a crash.
  ...['57014', '57P01', '57P02'],
  // Its transaction was left open for too long: this process, or its machine, stood still.
  '25P03',
]);

const UNANSWERED = /^Query read timeout|^Connection terminated|^Client has encountered a connection error/;

const messageOf = (error: unknown): string => (isNativeError(error) ? error.message : '');

/** The database was not even asked: what this statement would have done is not done. */
export const isUnconnected = (error: unknown): boolean =>
  NO_CONNECTION.has(codeOf(error) ?? '') || NONE_IN_TIME.test(messageOf(error));

/** It does not answer, or not in time: what it was asked to do may be done. */
export const isAway = (error: unknown): boolean =>
  isUnconnected(error) || NO_ANSWER.has(codeOf(error) ?? '') || UNANSWERED.test(messageOf(error));
