import type { ReleaseSettlement } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import type { Deposit } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { keepReleased, withholdingsOf, wordsOf } from '../standing/withheld.ts';

export type SettlementRefusal = { readonly refusal: 'settlement_not_withheld' };

/** An operator lets a deposit be settled in spite of all that speaks against it now. */
export const decideReleaseSettlement = (
  deposit: Deposit,
  { note, now }: ReleaseSettlement,
): CommandOutcome<SettlementRefusal> => {
  const withholding = withholdingsOf(deposit);
  if (withholding.length === 0) return refused({ refusal: 'settlement_not_withheld' });
  const released = wordsOf(withholding);
  return applied({
    type: 'SettlementReleased',
    data: { released, note, ...factOf(deposit, keepReleased(deposit, ...released), now) },
  });
};
