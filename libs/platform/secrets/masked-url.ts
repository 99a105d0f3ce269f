/**
 * User and password of a URL are for whoever calls it, and for nobody who only looks. A backslash ends the host of it for
 * whoever calls: what stands behind that is no host, whatever it looks like.
 */
export const maskedUrl = (url: string): string => url.replace(/^([a-z]+:[\\/]+)[^/\\?#]*@/i, '$1***@');

/** As it was shown to somebody, who does not know what is behind it. */
export const isMaskedUrl = (url: string): boolean => /^[a-z]+:\/\/\*\*\*@/i.test(url);

/** What stands behind the `?` often lets in whoever shows it: for those who need to know where, and not how to get in. */
export const urlWithoutQuery = (url: string): string => maskedUrl(url).replace(/[?#].*$/s, '?***');
