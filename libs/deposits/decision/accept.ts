import type { AcceptDeposit } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { failingAcceptGate } from './accept-gates.ts';
import type { AcceptRefusal } from './refusals.ts';
import { reprice } from './reprice.ts';

/** POST /casino/deposit/{id}/accept. The charges, and with them what is settled, are final from here on. */
export const decideAccept = (deposit: Deposit, command: AcceptDeposit): CommandOutcome<AcceptRefusal> => {
  const failing = failingAcceptGate(deposit, command);
  if (failing) return refused(failing);
  const { confirmedCrypto } = deposit.standing;
  if (confirmedCrypto === null) return refused({ refusal: 'wrong_status', status: deposit.standing.status });
  const repriced = reprice(deposit, confirmedCrypto, command.currentRate);
  if ('refused' in repriced) return refused(repriced.refused);
  const after = stand(deposit, { decision: 'accepted', decisionAt: command.now });
  return applied({
    type: 'DepositAccepted',
    data: { ...repriced, confirmedCrypto, ...factOf(deposit, after, command.now) },
  });
};
