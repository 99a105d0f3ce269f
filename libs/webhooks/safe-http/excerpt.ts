import type { Readable } from 'node:stream';

export const EXCERPT_CHARACTERS = 500;

/** No character of UTF-8 has more bytes than four. */
const ENOUGH_BYTES = EXCERPT_CHARACTERS * 4;

const firstCharacters = (bytes: Buffer): string => {
  const text = new TextDecoder().decode(bytes).slice(0, EXCERPT_CHARACTERS);
  // Half of a pair at the cut is no character.
  return text.isWellFormed() ? text : text.slice(0, -1);
};

/**
 * The beginning of an answer. No more is read than is kept: the rest of a long one is left unread and its connection
 * closed. An answer that breaks off has answered all the same, with what has come.
 */
export const readExcerpt = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      received += chunk.length;
      if (received >= ENOUGH_BYTES) break;
    }
  } catch {
    // The status line has come; what the body would have said decides nothing.
  }
  return firstCharacters(Buffer.concat(chunks));
};
