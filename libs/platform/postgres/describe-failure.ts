import { isNativeError } from 'node:util/types';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ETIMEDOUT: 'no answer in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was cut',
  '28P01': 'the password is wrong',
  '28000': 'the user may not log in',
  '3D000': 'the database does not exist',
  '53300': 'the server has no connection left',
  '57P03': 'the server is starting up or shutting down',
  '42501': 'the user lacks a permission there',
};

export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  if (!('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
};

/** The server's place without the password, for messages. */
export const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
};

/** Why a server cannot be used, as the end of a sentence; undefined when the error is of another kind. */
export const connectionFailure = (error: unknown): string | undefined => {
  const reason = REASONS[codeOf(error) ?? ''];
  if (reason) return reason;
  const message = isNativeError(error) ? error.message : '';
  if (message.includes('client password must be')) return 'the server asks for a password and the URL has none';
  return /timeout|timed out|terminated unexpectedly|does not support SSL/i.test(message) ? message : undefined;
};
