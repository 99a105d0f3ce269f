import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionErrors } from '../errors/index.ts';
import { frontOf } from '../http/forwarded.ts';

/** `__Host-` is refused by browsers where the connection is not secure. */
const nameAt = ({ protocol }: FastifyRequest): string =>
  protocol === 'https' ? '__Host-cointill_session' : 'cointill_session';

const sent = (request: FastifyRequest, value: string, more: readonly string[]): string =>
  [
    `${nameAt(request)}=${value}`,
    ...['Path=/', 'HttpOnly', 'SameSite=Strict', ...more],
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ].join('; ');

/** No `Max-Age`: it goes with the browser, the session itself by the server's clock. */
export const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, secret: string): void =>
  void reply.header('set-cookie', sent(request, secret, []));

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  void reply.header('set-cookie', sent(request, '', ['Max-Age=0']));

export const cookieNamed = ({ headers }: FastifyRequest, name: string): string | undefined => {
  const found = headers.cookie?.split(/;\s*/).find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
};

const cookieOf = (request: FastifyRequest): string | undefined => cookieNamed(request, nameAt(request));

/**
 * A cookie comes with every request to this host, from whatever page and port: only the console's own scripts can send
 * this header, and only a page of this origin is told as such by the browser.
 */
export const checkFromConsole = ({ headers }: FastifyRequest): void => {
  if (headers['sec-fetch-site'] !== 'same-origin' || headers['x-cointill-console'] === undefined)
    throw sessionErrors.foreignRequest();
};

/** The secret of the console's session, from a request of the console. */
export const sessionSecretOf = (request: FastifyRequest): string | undefined => {
  const secret = cookieOf(request);
  if (secret !== undefined) checkFromConsole(request);
  return secret;
};

/** The same where somebody follows a link of the console, with which no script sends a header. */
export const sessionOfLink = (request: FastifyRequest): string | undefined =>
  request.headers['sec-fetch-site'] === 'same-origin' ? cookieOf(request) : undefined;

/** What a page asks for by itself keeps no session alive. */
export const asksByItself = ({ headers }: FastifyRequest): boolean => headers['x-cointill-console'] === 'by itself';

/** Whom a page was shown to; another window of the same browser may have signed in somebody else since. */
export const shownTo = ({ headers }: FastifyRequest): string | undefined => {
  const id = headers['x-cointill-operator'];
  return typeof id === 'string' ? id : undefined;
};

/** What is sent by one click: a browser that loses the answer on its way sends the very same again by itself. */
export const attemptOf = ({ headers }: FastifyRequest): string | undefined => {
  const sent = headers['x-cointill-attempt'];
  return typeof sent === 'string' && /^[\w-]{16,64}$/.test(sent) ? sent : undefined;
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Without TLS whoever listens has the token and the cookie. */
export const checkEncrypted = (request: FastifyRequest): void => {
  const { protocol, headers } = request;
  if (protocol !== 'https' && !LOOPBACK.test(headers.host ?? '')) throw sessionErrors.notEncrypted(frontOf(request));
};
