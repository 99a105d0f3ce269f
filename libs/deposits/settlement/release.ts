import type { ReleaseSettlement } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import type { Deposit } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { withheldOf, withholdingsOf } from '../standing/withheld.ts';

export type SettlementRefusal = { readonly refusal: 'settlement_not_withheld' };

/** An operator lets a deposit be settled in spite of all that speaks against it now. */
export const decideReleaseSettlement = (
  deposit: Deposit,
  { note, now }: ReleaseSettlement,
): CommandOutcome<SettlementRefusal> => {
  const withheld = withheldOf(deposit);
  if (withheld === null || withheld === 'released') return refused({ refusal: 'settlement_not_withheld' });
  const released = withholdingsOf(deposit).filter((withholding) => !deposit.settlementReleased.includes(withholding));
  const after = { ...deposit, settlementReleased: [...deposit.settlementReleased, ...released] };
  return applied({ type: 'SettlementReleased', data: { released, note, ...factOf(deposit, after, now) } });
};
