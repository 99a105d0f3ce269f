/** Streams of one kind are known by the whole of their names: on a server that others use, what only begins so is theirs. */
export type IsOfKind = (stream: string) => boolean;

/** What a name is made of behind what it begins with, from one hyphen to the next. */
const PARTS = { number: '(?:0|[1-9][0-9]{0,15})', coin: '[A-Z]{1,16}', digest: '[0-9a-f]{32}' } as const;

export const streamsNamed = (prefix: string, ...parts: readonly (keyof typeof PARTS)[]): IsOfKind => {
  const name = new RegExp(`^${prefix}${parts.map((part) => PARTS[part]).join('-')}$`);
  return (stream) => name.test(stream);
};

export const anyOf =
  (...kinds: readonly IsOfKind[]): IsOfKind =>
  (stream) =>
    kinds.some((isOfKind) => isOfKind(stream));
