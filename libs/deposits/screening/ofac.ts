import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import type { OfacCompletedSignal, OfacDeadlineMissedSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { alarmAlert, raiseAlarm } from './alarm.ts';

const nothingToScreen = 'no payment was seen: there is nothing to screen';

const started = ({ standing }: Deposit): boolean => standing.kytStatus !== null;

/** The engine's latest answer stands for the whole deposit, save that a hit is final. */
export const onOfacCompleted = (deposit: Deposit, signal: OfacCompletedSignal): Verdict => {
  const { ofacStatus } = deposit.standing;
  if (!started(deposit)) return rejected(nothingToScreen);
  if (ofacStatus === signal.status) return ignored(`ofac_status is already ${ofacStatus}`);
  if (ofacStatus === 'hit') return ignored('ofac_status hit is final');
  const answered = stand(deposit, { ofacStatus: signal.status });
  const hit = signal.status === 'hit';
  const after = hit ? raiseAlarm(answered, 'ofac_hit', signal.now) : answered;
  return applies({
    type: 'OfacCompleted',
    data: {
      signalId: signal.signalId,
      status: signal.status,
      address: signal.address,
      ...factOf(deposit, after, signal.at, hit && alarmAlert(deposit, after)),
    },
  });
};

/** A missed deadline allows accept and return; an answer that comes later is taken all the same. */
export const onOfacDeadlineMissed = (deposit: Deposit, signal: OfacDeadlineMissedSignal): Verdict => {
  if (!started(deposit)) return rejected(nothingToScreen);
  if (deposit.standing.ofacStatus !== 'pending') return ignored(`ofac_status is ${deposit.standing.ofacStatus}`);
  const after = stand(deposit, { ofacStatus: 'timed_out' });
  return applies({
    type: 'OfacDeadlineMissed',
    data: { signalId: signal.signalId, ...factOf(deposit, after, signal.at) },
  });
};
