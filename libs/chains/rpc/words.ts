import { shownSafely } from '#platform/shown-text';

/** A person reads no more of it. */
const MOST = 300;

const cut = (text: string, most: number): string => {
  const shown = shownSafely(text.slice(0, most)).toWellFormed();
  return text.length > most || shown.length > most ? `${shown.slice(0, most)} ...` : shown;
};

/** What a node says in its own words, whatever it sends for them: nobody bounds that, and no database keeps a NUL. */
export const wordsOf = (said: unknown): string =>
  cut(typeof said === 'string' ? said : (JSON.stringify(said) ?? 'nothing'), MOST);

/** Of a sentence with such words in it, and what is told beside them. */
export const sentenceOf = (text: string): string => cut(text, 4 * MOST);
