import { usage } from '../parts/exit.ts';

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

export type PlainHttp = {
  readonly allowed: boolean;
  /** What somebody says who allows it. */
  readonly allow: string;
};

/** As it is told to somebody: whatever lets in, before an `@` or behind a `?`, stays with whoever typed it. */
export const shownAddress = (text: string): string =>
  text.replace(/^([a-z][a-z\d+.-]*:[\\/]+)?.*@/is, '$1***@').replace(/[?#].*$/s, '?***');

/** Where a token is sent: over HTTP without TLS to this machine alone, unless somebody has allowed it. */
export const addressOf = (text: string, { allowed, allow }: PlainHttp): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw usage(`${shownAddress(text)} is no address of a service, as https://pay.example`);
  if (url.username || url.password) throw usage('no user and password in the address: the token says who you are');
  if (/[?#]/.test(url.href)) throw usage('no query and no fragment in the address: it ends before ? and #');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowed)
    throw usage(`${shownAddress(text)} is plain HTTP, where others can read the token: use https, or ${allow}`);
  return url.href.replace(/\/$/, '');
};
