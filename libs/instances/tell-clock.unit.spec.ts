import { expect, it } from '@jest/globals';
import { createLog } from '#platform/logging';
import { aheadBy, createClockTeller } from './tell-clock.ts';

it.each([
  ['the same', { asked: 1_000, there: 1_010, answered: 1_020 }, 0],
  ['an answer that took long', { asked: 1_000, there: 9_000, answered: 12_000 }, 0],
  ['ahead', { asked: 300_000, there: 1_000, answered: 300_020 }, 299_000],
  ['behind', { asked: 1_000, there: 300_000, answered: 1_020 }, -298_980],
])('by how much clocks are apart: %s', (_, seen, ahead) => {
  expect(aheadBy(seen)).toBe(ahead);
});

it('a clock that is wrong is told once, and when it is right again', () => {
  const said: string[] = [];
  const { logger } = createLog({ level: 'info', to: { write: (line) => void said.push(line) } });
  const tell = createClockTeller(logger);
  const right = { asked: 0, there: 10, answered: 20 };
  for (const there of [10, -300_000, -300_005, 10, 10]) tell({ ...right, there });
  expect(said.map((line) => (JSON.parse(line) as { readonly alert?: string }).alert)).toEqual([
    'clock_differs',
    undefined,
  ]);
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ level: 50, ahead_s: 300 });
});
