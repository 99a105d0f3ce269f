import { parseDecimal, toText } from '#money';
import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import type { KytCompletedSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { Instant } from '../floor/time.ts';
import type { KytResult } from '../floor/words.ts';
import { factOf } from '../standing/fact.ts';
import { alarmAlert, raiseAlarm } from './alarm.ts';

/** A review or a failure holds a confirmed deposit; only an operator's approval lifts the hold from the status. */
export const holdConfirmed = (deposit: Deposit): Deposit =>
  deposit.standing.status === 'Confirmed' || deposit.standing.status === 'ConfirmedApproved'
    ? stand(deposit, { status: 'ConfirmedKYTReview' })
    : deposit;

/** What follows from a result, whoever gave it. */
export const followKyt = (deposit: Deposit, result: KytResult, now: Instant): Deposit => {
  if (result === 'passed') return deposit;
  const held = holdConfirmed(deposit);
  return result === 'failed' ? raiseAlarm(held, 'kyt_failed', now) : held;
};

/** One of them holds a review as well as all. */
const MOST_NOTED = 100;

/** The transaction whose senders nobody can name, where that is not known yet. */
const unknownOf = ({ unknownSendersOf: known }: Deposit, signal: KytCompletedSignal): string | undefined => {
  const txid = signal.status === 'review' ? (signal.unknownSendersOf ?? undefined) : undefined;
  return txid !== undefined && known.length < MOST_NOTED && !known.includes(txid) ? txid : undefined;
};

/**
 * A provider is asked about the addresses that are named, and says nothing of who is not: whoever sent that, a person
 * looks. Also where the payment is gone, since it may come back. A review alone: no operator can end anything else, and a
 * release that knows nothing of this may have gone on from there.
 */
const heldAgainst = (
  { standing: { kytStatus }, unknownSendersOf: [txid] }: Deposit,
  { status }: KytCompletedSignal,
): string | undefined =>
  kytStatus === 'review' && txid !== undefined && status === 'passed'
    ? `nobody can name the senders of ${txid}: an operator alone ends this review`
    : undefined;

/** It says what stands already. Of senders that nobody can name there is no score: the provider's own stays. */
const standsAs = (
  { standing: { kytStatus, kytRiskScore } }: Deposit,
  { status, unknownSendersOf }: KytCompletedSignal,
  riskScore: string | null,
): boolean =>
  kytStatus === status &&
  (kytRiskScore === riskScore || (status === 'review' && typeof unknownSendersOf === 'string' && riskScore === null));

/** Why an answer changes nothing. */
const idleBecause = (deposit: Deposit, signal: KytCompletedSignal, isSame: boolean): string | undefined => {
  const { kytStatus } = deposit.standing;
  if (kytStatus === 'failed') return 'kyt_status failed is final';
  if (isSame && unknownOf(deposit, signal) === undefined) return `kyt_status is already ${kytStatus}`;
  return heldAgainst(deposit, signal);
};

/**
 * The provider's latest answer stands for the whole deposit, save that a failure is final, and that a review of senders
 * that nobody can name is ended by an operator alone.
 */
export const onKytCompleted = (deposit: Deposit, signal: KytCompletedSignal): Verdict => {
  const { kytStatus } = deposit.standing;
  const score = parseDecimal(signal.riskScore);
  if (signal.riskScore !== null && !score) return rejected('risk_score is not a decimal');
  if (kytStatus === null) return rejected('no payment was seen: there is nothing to screen');
  const riskScore = score ? toText(score) : null;
  const isSame = standsAs(deposit, signal, riskScore);
  const idle = idleBecause(deposit, signal, isSame);
  if (idle !== undefined) return ignored(idle);
  const answered = { kytStatus: signal.status, kytRiskScore: riskScore, kytCheckedAt: signal.at };
  const after = followKyt(isSame ? deposit : stand(deposit, answered), signal.status, signal.now);
  const unknownSendersOf = unknownOf(deposit, signal);
  const alert = signal.status === 'failed' && alarmAlert(deposit, after);
  return applies({
    type: 'KytCompleted',
    data: {
      ...{ signalId: signal.signalId, status: signal.status, riskScore },
      ...(unknownSendersOf !== undefined && { unknownSendersOf }),
      ...factOf(deposit, after, signal.at, alert),
    },
  });
};
