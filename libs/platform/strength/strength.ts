const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$/i, 16],
];

/** Who makes one by hand may take any of them; a text is not refused for those that it happens to leave out. */
const PRINTABLE = 94;

const alphabetOf = (text: string): number => ALPHABETS.find(([letters]) => letters.test(text))?.[1] ?? PRINTABLE;

/** A word said over and over is no longer than the word. */
const LEAST_DISTINCT = 8;

/** As many bits as so many random characters of these kinds have. Words have fewer, which nothing here can tell. */
const bitsOf = (text: string): number =>
  new Set(text).size < LEAST_DISTINCT ? 0 : text.length * Math.log2(alphabetOf(text));

export const isStrong = (text: string): boolean => bitsOf(text) >= 128;
