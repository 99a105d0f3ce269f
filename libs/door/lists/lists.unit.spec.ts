import { describe, expect, it } from '@jest/globals';
import { cursorIn, listed } from './index.ts';

describe('a list', () => {
  it('is shown, unless it is behind: then the caller reads when to come back', () => {
    expect(listed({ outcome: 'listed', list: [7] })).toEqual([7]);
    expect(() => listed({ outcome: 'behind' })).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('goes on where a page of its own ended, and nowhere else', () => {
    const read = (text: string) => (text === 'page-2' ? 2 : undefined);
    expect([cursorIn('page-2', read), cursorIn(undefined, read)]).toEqual([2, undefined]);
    expect(() => cursorIn('page-x', read)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
