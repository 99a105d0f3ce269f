import type { FreezeDeposit } from '../commands.ts';
import { factOf } from '../fact.ts';
import { applied, type CommandOutcome, refused } from '../outcome.ts';
import { type Deposit, stand } from '../state.ts';
import { decisionGate, kytGate } from './gates.ts';
import type { FreezeRefusal } from './refusals.ts';

/** POST /casino/deposit/{id}/freeze. */
export const decideFreeze = (deposit: Deposit, { now }: FreezeDeposit): CommandOutcome<FreezeRefusal> => {
  const failing = decisionGate(deposit) ?? kytGate(deposit);
  if (failing) return refused(failing);
  const after = stand(deposit, { decision: 'frozen', decisionAt: now, frozenBecause: 'partner' });
  return applied({ type: 'DepositFrozen', data: factOf(deposit, after, now) });
};
