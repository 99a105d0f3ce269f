import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import type { RefundBroadcastSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { unfundedOf } from '../standing/unfunded.ts';
import { wrongReturn } from './wrong-return.ts';

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
  if (unfundedOf(deposit) !== null)
    return rejected('the return waits until every payment of the deposit is confirmed again');
  const { signalId, at, returnId, refundTxid } = signal;
  const after = stand(deposit, { status: 'Refund' });
  return applies({ type: 'RefundBroadcast', data: { signalId, returnId, refundTxid, ...factOf(deposit, after, at) } });
};
