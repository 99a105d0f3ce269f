import { expect, it } from '@jest/globals';
import { briefly } from './briefly.ts';

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

it('what others see of an act is as it was sent, where that is short', () => {
  const sent = { name: 'till', fees: [{ percent: '1' }], webhook: null, note: 'x'.repeat(2_000), live: true, n: 7 };
  expect(briefly(sent)).toEqual(sent);
});

it('a long text is shown by its beginning, its length and its digest', () => {
  const [one, other] = ['a', 'b'].map((end) => briefly({ note: `${'x'.repeat(3_000)}${end}` }));
  expect(one).toEqual({ note: expect.stringMatching(/^x{200}… \(3001 characters, SHA-256 [0-9a-f]{64}\)$/) });
  expect(one).not.toEqual(other);
});

it('nothing is shown at length, however it is made up: the same digest is of the same', () => {
  const list = Array.from({ length: 5_000 }, (_, n) => ({ n, text: 'x'.repeat(100) }));
  const shown = briefly({ signals: list }) as { signals: unknown[] };
  expect(shown.signals).toHaveLength(51);
  expect(shown.signals.slice(0, 50)).toEqual(list.slice(0, 50));
  expect(shown.signals[50]).toMatch(/^… and 4950 more \(SHA-256 of all [0-9a-f]{64}\)$/);
  const wide = Object.fromEntries(list.map(({ n, text }) => [`field ${n}`, text]));
  for (const sent of [wide, { signals: [wide] }, { ['x'.repeat(200_000)]: 1 }]) {
    expect(sizeOf(briefly(sent))).toBeLessThan(3_000);
    expect(briefly(sent)).toEqual(briefly(structuredClone(sent)));
  }
});
