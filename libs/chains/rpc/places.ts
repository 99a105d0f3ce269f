export type NamedPlace = { readonly url: string; readonly name: string };

/** As operators see them, without logins, paths and the keys in them: of several on one host the second is `host#2`. */
export const namedPlaces = (urls: readonly string[]): readonly NamedPlace[] => {
  const onHost = new Map<string, number>();
  return urls.map((url) => {
    const { host } = new URL(url);
    const nth = (onHost.get(host) ?? 0) + 1;
    onHost.set(host, nth);
    return { url, name: nth === 1 ? host : `${host}#${nth}` };
  });
};
