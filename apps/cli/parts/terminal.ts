import { stripVTControlCharacters, styleText } from 'node:util';

/** What partners sent may not move the cursor, colour what follows or ring. */
export const shownSafely = (text: string): string =>
  stripVTControlCharacters(text).replace(
    /\p{Cc}/gu,
    (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** Bold on a terminal, unless NO_COLOR is set. */
export const bold = (text: string, stream: NodeJS.WriteStream): string => styleText('bold', text, { stream });

export const widthOf = (stream: NodeJS.WriteStream): number => (stream.isTTY ? stream.columns || 80 : 160);
