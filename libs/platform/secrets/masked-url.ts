/** User and password of a URL are for whoever calls it, and for nobody who only looks. */
export const maskedUrl = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1***@');
