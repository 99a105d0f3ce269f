import { expect, it } from '@jest/globals';
import type { DepositEvent } from '../floor/events.ts';
import { doubleSpent, issue, seen } from '../testing/commands.ts';
import { fold, history } from '../testing/given.ts';

/** As one would be told of each of so many outputs. */
const ofMany = (event: DepositEvent | undefined, count: number): readonly DepositEvent[] =>
  Array.from({ length: count }, (_, nth) =>
    JSON.parse(
      JSON.stringify(event).replaceAll('"txid":"tx-a"', `"txid":"tx-${nth}"`).replaceAll('tx-a:', `tx-${nth}:`),
    ),
  );

it('a history of 3,000 payments that were all double-spent is folded in a moment', () => {
  const [issued, came, went] = history(issue(), seen(), doubleSpent());
  const past = [issued, ...ofMany(came, 3_000), ...ofMany(went, 3_000)].filter((event) => event !== undefined);
  const start = performance.now();
  const deposit = fold(past);
  expect(performance.now() - start).toBeLessThan(4_000);
  expect(deposit).toMatchObject({ revision: 6_000, standing: { counted: [] } });
});
