import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import { isConfirmed } from '../floor/payment.ts';
import type { RefundBroadcastSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { countingPayments } from '../standing/counting.ts';
import { factOf } from '../standing/fact.ts';
import { wrongReturn } from './wrong-return.ts';

/** What has come in since its return was queued may be gone again: nothing is sent that is not there. */
const stillThere = (deposit: Deposit): boolean => {
  const counting = countingPayments(deposit);
  return counting.length === deposit.standing.counted.length && counting.every(isConfirmed);
};

export const onRefundBroadcast = (deposit: Deposit, signal: RefundBroadcastSignal): Verdict => {
  const { refund, standing } = deposit;
  const wrong = wrongReturn(refund, signal);
  if (wrong) return rejected(wrong);
  if (refund?.progress === 'broadcast')
    return refund.lastTxid === signal.refundTxid
      ? ignored('this refund is broadcast already')
      : rejected(`the return was broadcast as ${refund.lastTxid}: report it dropped first`);
  if (standing.returnHeldBecause !== null)
    return rejected(`the return is held (${standing.returnHeldBecause}): an operator has to release it first`);
  if (!stillThere(deposit)) return rejected('the return waits until every payment of the deposit is confirmed again');
  const { signalId, at, returnId, refundTxid } = signal;
  const after = stand(deposit, { status: 'Refund' });
  return applies({ type: 'RefundBroadcast', data: { signalId, returnId, refundTxid, ...factOf(deposit, after, at) } });
};
