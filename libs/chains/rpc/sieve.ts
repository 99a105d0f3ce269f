/** Hashes, addresses and amounts are shorter. */
const LONGEST = 200;

/** What begins or ends something, and what a backslash takes that away from. */
const MARKS = /["[\]]|\\.?/gs;

/** JSON as it comes in, without what makes it large: nothing is left in its lists, nor of a string that no hash is as long as. */
export const createSift = (): ((text: string) => string) => {
  let lists = 0;
  let word: string | undefined;
  let isEscaped = false;
  let kept = '';

  const keep = (piece: string): void => {
    if (word === undefined) kept += lists === 0 ? piece : '';
    else if (word.length <= LONGEST) word += piece.slice(0, LONGEST + 1);
  };

  const quote = (): void => {
    const whole = word;
    word = whole === undefined ? '' : undefined;
    if (whole !== undefined) keep(whole.length > LONGEST ? '""' : `"${whole}"`);
  };

  const bracket = (mark: string): void => {
    const isIn = word === undefined;
    if (isIn && mark === ']') lists -= 1;
    keep(mark);
    if (isIn && mark === '[') lists += 1;
  };

  const sift = (text: string): void => {
    let at = 0;
    for (const { 0: mark, index } of text.matchAll(MARKS)) {
      keep(text.slice(at, index));
      at = index + mark.length;
      isEscaped = mark === '\\';
      if (mark === '"') quote();
      else if (mark.startsWith('\\')) keep(mark);
      else bracket(mark);
    }
    keep(text.slice(at));
  };

  return (text) => {
    kept = '';
    const escaped = isEscaped ? text.slice(0, 1) : '';
    isEscaped &&= escaped === '';
    keep(escaped);
    sift(text.slice(escaped.length));
    return kept;
  };
};
