import { createSift } from '../rpc/sieve.ts';

/** Strings come out of the sieve in one piece. */
const MARKS = /"(?:[^"\\]|\\.)*"|[{}]/gs;

/** How deep the members of what is answered stand, and the one of them that is read. */
const [MEMBERS, READ] = [2, '"pending"'];

/** Of what does not wait to be mined anybody may send as much as he likes, since he pays nothing for it. */
export const createPoolSift = (): ((text: string) => string) => {
  const sift = createSift();
  let depth = 0;
  let member = '';

  return (text) => {
    const sifted = sift(text);
    let [kept, at] = ['', 0];
    const pass = (to: number): void => {
      if (depth <= MEMBERS || member === READ) kept += sifted.slice(at, to);
      at = to;
    };
    for (const { 0: mark, index } of sifted.matchAll(MARKS)) {
      if (mark === '{') {
        pass(index + 1);
        depth += 1;
      } else if (mark === '}') {
        pass(index);
        depth -= 1;
      } else if (depth === MEMBERS) member = mark;
    }
    pass(sifted.length);
    return kept;
  };
};
