import type { ReleaseSettlement } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import type { Deposit } from '../floor/state.ts';
import type { WithholdingReason } from '../floor/words.ts';
import { factOf } from '../standing/fact.ts';
import { isOf, keepReleased, withholdingsOf, wordsOf } from '../standing/withheld.ts';

export type SettlementRefusal =
  | { readonly refusal: 'settlement_not_withheld' }
  | { readonly refusal: 'settlement_withheld_for_more'; readonly unnamed: readonly WithholdingReason[] };

/** An operator lets a deposit be settled in spite of all that speaks against it now. */
export const decideReleaseSettlement = (
  deposit: Deposit,
  { named, note, now }: ReleaseSettlement,
): CommandOutcome<SettlementRefusal> => {
  const withholding = withholdingsOf(deposit);
  if (withholding.length === 0) return refused({ refusal: 'settlement_not_withheld' });
  const unnamed = named === null ? [] : withholding.filter((reason) => !named.some((name) => isOf(reason, name)));
  if (unnamed.length > 0) return refused({ refusal: 'settlement_withheld_for_more', unnamed });
  const released = wordsOf(withholding);
  return applied({
    type: 'SettlementReleased',
    data: { released, note, ...factOf(deposit, keepReleased(deposit, ...released), now) },
  });
};
