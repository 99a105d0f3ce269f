const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$/i, 16],
  [/^(?:[0-9a-z]*|[0-9A-Z]*)$/, 36],
];

const BASE64 = 64;

const alphabetOf = (text: string): number => ALPHABETS.find(([letters]) => letters.test(text))?.[1] ?? BASE64;

/** A word said over and over is no longer than the word. */
const LEAST_DISTINCT = 8;

/** As many bits as so many random characters of these kinds have. Words have fewer, which nothing here can tell. */
const bitsOf = (text: string): number =>
  new Set(text).size < LEAST_DISTINCT ? 0 : text.length * Math.log2(alphabetOf(text));

export const isStrong = (text: string): boolean => bitsOf(text) >= 128;
