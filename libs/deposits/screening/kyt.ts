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

/** The provider's latest answer stands for the whole deposit, save that a failure is final. */
export const onKytCompleted = (deposit: Deposit, signal: KytCompletedSignal): Verdict => {
  const { kytStatus, kytRiskScore } = deposit.standing;
  const score = parseDecimal(signal.riskScore);
  if (signal.riskScore !== null && !score) return rejected('risk_score is not a decimal');
  if (kytStatus === null) return rejected('no payment was seen: there is nothing to screen');
  if (kytStatus === 'failed') return ignored('kyt_status failed is final');
  const riskScore = score ? toText(score) : null;
  if (kytStatus === signal.status && kytRiskScore === riskScore) return ignored(`kyt_status is already ${kytStatus}`);
  const answered = stand(deposit, { kytStatus: signal.status, kytRiskScore: riskScore, kytCheckedAt: signal.at });
  const after = followKyt(answered, signal.status, signal.now);
  const alert = signal.status === 'failed' && alarmAlert(deposit, after);
  return applies({
    type: 'KytCompleted',
    data: { signalId: signal.signalId, status: signal.status, riskScore, ...factOf(deposit, after, signal.at, alert) },
  });
};
