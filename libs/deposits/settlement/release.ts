import type { ReleaseSettlement } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import type { Deposit } from '../floor/state.ts';
import type { WithholdingReason } from '../floor/words.ts';
import { factOf } from '../standing/fact.ts';
import { isSeen } from '../standing/since.ts';
import { isOf, keepReleased, withholdingsOf, wordsOf } from '../standing/withheld.ts';

export type SettlementRefusal =
  | { readonly refusal: 'settlement_not_withheld' }
  | { readonly refusal: 'settlement_withheld_for_more'; readonly unnamed: readonly WithholdingReason[] }
  | { readonly refusal: 'settlement_withheld_again'; readonly again: readonly WithholdingReason[] }
  | { readonly refusal: 'settled_since'; readonly batchId: string };

/** An operator lets a deposit be settled in spite of all that speaks against it now. */
export const decideReleaseSettlement = (
  deposit: Deposit,
  { named, seen, note, now }: ReleaseSettlement,
): CommandOutcome<SettlementRefusal> => {
  const withholding = withholdingsOf(deposit);
  if (withholding.length === 0) return refused({ refusal: 'settlement_not_withheld' });
  // Thousands may be named one by one: to go through all of them for each would be millions of looks.
  const names = new Set(named);
  const isNamed = (reason: WithholdingReason) => names.has(reason) || named?.some((name) => isOf(reason, name));
  const unnamed = named === null ? [] : withholding.filter((reason) => !isNamed(reason));
  if (unnamed.length > 0) return refused({ refusal: 'settlement_withheld_for_more', unnamed });
  const { settlementBatchId: batchId } = deposit;
  // To settle it in spite of a loss is one thing, to let a settlement stand that was paid before it another.
  if (batchId !== null && !isSeen(deposit, 'batch', seen)) return refused({ refusal: 'settled_since', batchId });
  const again = withholding.filter((reason) => !isSeen(deposit, reason, seen));
  if (again.length > 0) return refused({ refusal: 'settlement_withheld_again', again });
  const released = wordsOf(withholding);
  return applied({
    type: 'SettlementReleased',
    data: { released, note, ...factOf(deposit, keepReleased(deposit, ...released), now) },
  });
};
