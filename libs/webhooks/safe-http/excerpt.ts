export const EXCERPT_CHARACTERS = 500;

/** No character of UTF-8 has more bytes than four. */
const ENOUGH_BYTES = EXCERPT_CHARACTERS * 4;

const decoder = new TextDecoder();

const firstCharacters = (bytes: Buffer): string => {
  const text = decoder.decode(bytes).slice(0, EXCERPT_CHARACTERS);
  // Half of a pair at the cut is no character.
  return text.isWellFormed() ? text : text.slice(0, -1);
};

export type Excerpt = {
  /** True when enough has come. */
  readonly add: (chunk: Buffer) => boolean;
  readonly text: () => string;
};

/** The beginning of an answer. No more is read than is kept. */
export const startExcerpt = (): Excerpt => {
  const chunks: Buffer[] = [];
  let received = 0;
  return {
    add: (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      return received >= ENOUGH_BYTES;
    },
    text: () => firstCharacters(Buffer.concat(chunks)),
  };
};
