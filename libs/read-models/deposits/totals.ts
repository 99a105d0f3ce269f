import type { DepositDecision, DepositRef, FactEvent, Terms } from '#deposits';
import { type Amounts, addToRow, type RowChange } from '../changes/row-change.ts';

const counted = (
  { entityId, currency }: Pick<DepositRef, 'entityId' | 'currency'>,
  decision: DepositDecision,
  amounts: Amounts,
): RowChange => addToRow('deposit_totals', { entity_id: entityId, decision, currency }, amounts);

export const opened = (terms: Terms, decision: DepositDecision): RowChange => counted(terms, decision, { deposits: 1 });

/** "Deposit included in settlement for entity_net_usd": live ones alone. */
const moneyOf = (event: FactEvent): Amounts =>
  event.type === 'DepositAccepted' && !event.data.deposit.test
    ? { entity_net_usd: event.data.amounts.entityNetUsd }
    : {};

/** "A decision is made once and is final": whatever it becomes, it was pending. */
export const decided = (event: FactEvent): readonly RowChange[] => {
  const { deposit, changes } = event.data;
  if (changes.decision === undefined) return [];
  return [
    counted(deposit, 'pending', { deposits: -1 }),
    counted(deposit, changes.decision, { deposits: 1, ...moneyOf(event) }),
  ];
};
