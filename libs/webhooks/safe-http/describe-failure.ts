import { isNativeError } from 'node:util/types';
import { NonPublicAddress } from './connector.ts';
import { TooManyInterim } from './exchange.ts';
import { AnswerTooLong } from './taken-answers.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was cut before an answer came',
  EPIPE: 'The connection was cut before an answer came',
  UND_ERR_SOCKET: 'The connection was cut before an answer came',
  ENOTFOUND: 'The host name is unknown',
  EAI_AGAIN: 'The host name cannot be resolved now',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  ETIMEDOUT: 'Timeout: the connection was not made in time',
  UND_ERR_CONNECT_TIMEOUT: 'Timeout: the connection was not made in time',
  EPROTO: 'TLS handshake failed: protocol error',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS handshake failed: no TLS is spoken on this port',
  // An answer that the client's own assumptions do not hold for; its text is of its source.
  ERR_ASSERTION: 'The answer is not HTTP',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
};

/** They say themselves what a partner may read. */
const OWN = [AnswerTooLong, NonPublicAddress, TooManyInterim];

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** Where several addresses of a name were tried, each failed for itself: the first says enough. */
const codeOf = (error: unknown): string => {
  const [code, errors] = [fieldOf(error, 'code'), fieldOf(error, 'errors')];
  if (typeof code === 'string') return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : '';
};

/** What OpenSSL says is of its sources, over several lines: its reason alone is for others. */
const ofTls = (error: unknown): string | undefined => {
  const reason = fieldOf(error, 'reason');
  return codeOf(error).startsWith('ERR_SSL_') && typeof reason === 'string'
    ? `TLS handshake failed: ${reason}`
    : undefined;
};

/** Why no answer came, for the partner to read. What is not known by its code is told in the words of the client. */
export const describeFailure = (error: unknown): string => {
  if (isNativeError(error) && OWN.some((own) => error instanceof own)) return error.message;
  if (fieldOf(error, 'name') === 'HTTPParserError') return 'The answer is not HTTP';
  const known = REASONS[codeOf(error)] ?? ofTls(error);
  if (known !== undefined) return known;
  return isNativeError(error)
    ? `The request failed: ${error.message.replaceAll(/\s+/g, ' ').trim()}`
    : 'The request failed';
};
