import type { FreezeDeposit } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { decisionGate, kytGate } from './gates.ts';
import type { FreezeRefusal } from './refusals.ts';

/** POST /casino/deposit/{id}/freeze. */
export const decideFreeze = (deposit: Deposit, { now }: FreezeDeposit): CommandOutcome<FreezeRefusal> => {
  const failing = decisionGate(deposit) ?? kytGate(deposit);
  if (failing) return refused(failing);
  const after = stand(deposit, { decision: 'frozen', decisionAt: now, frozenBecause: 'partner' });
  return applied({ type: 'DepositFrozen', data: factOf(deposit, after, now) });
};
