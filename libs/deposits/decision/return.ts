import { amount, decimalText } from '#money';
import type { ReturnDeposit } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { decisionGate, kytGate, ofacGate } from './gates.ts';
import type { ReturnRefusal } from './refusals.ts';

const statusGate = ({ standing: { status } }: Deposit): ReturnRefusal | undefined =>
  status === 'Confirmed' ? undefined : { refusal: 'not_confirmed', status };

const receivedGate = ({ standing }: Deposit): ReturnRefusal | undefined => {
  const confirmedCrypto = standing.confirmedCrypto ?? decimalText('0');
  return amount(confirmedCrypto).greaterThan(0) ? undefined : { refusal: 'nothing_received', confirmedCrypto };
};

const progressGate = ({ refund }: Deposit): ReturnRefusal | undefined =>
  refund === null ? undefined : { refusal: 'return_in_progress' };

const failingGate = (deposit: Deposit): ReturnRefusal | undefined =>
  decisionGate(deposit) ??
  ofacGate(deposit) ??
  kytGate(deposit) ??
  statusGate(deposit) ??
  receivedGate(deposit) ??
  progressGate(deposit);

/** POST /casino/deposit/{id}/return. All that was received goes back; nothing is deducted. */
export const decideReturn = (deposit: Deposit, command: ReturnDeposit): CommandOutcome<ReturnRefusal> => {
  const failing = failingGate(deposit);
  if (failing) return refused(failing);
  const { returnId, returnAddress, reason, now } = command;
  const { confirmedCrypto } = deposit.standing;
  if (returnAddress === null) return refused({ refusal: 'return_address_missing' });
  if (confirmedCrypto === null) return refused({ refusal: 'nothing_received', confirmedCrypto: decimalText('0') });
  const after = stand(deposit, { decision: 'returned', decisionAt: now });
  return applied({
    type: 'DepositReturned',
    data: { returnId, returnAddress, reason, cryptoAmount: confirmedCrypto, ...factOf(deposit, after, now) },
  });
};
