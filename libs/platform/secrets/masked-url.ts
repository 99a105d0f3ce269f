/** User and password of a URL are for whoever calls it, and for nobody who only looks. */
export const maskedUrl = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1***@');

/** What stands behind the `?` often lets in whoever shows it: for those who need to know where, and not how to get in. */
export const urlWithoutQuery = (url: string): string => maskedUrl(url).replace(/[?#].*$/s, '?***');
