import { stripVTControlCharacters, styleText } from 'node:util';

const coded = (letter: string): string => {
  const code = letter.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
};

/** What partners sent may not move the cursor, colour what follows, ring or turn a line around. */
export const shownSafely = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}]/gu, coded);

/** The same value as JSON: the rest of the control characters has no other place in it. */
export const jsonSafely = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\p{Bidi_Control}]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Bold on a terminal, unless NO_COLOR is set. */
export const bold = (text: string, stream: NodeJS.WriteStream): string => styleText('bold', text, { stream });

export const widthOf = (stream: NodeJS.WriteStream): number => (stream.isTTY ? stream.columns || 80 : 160);
