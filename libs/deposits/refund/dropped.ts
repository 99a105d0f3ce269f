import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import type { RefundDroppedSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { standingAlarms } from './holds.ts';
import { wrongReturn } from './wrong-return.ts';

/** The refund's transaction is gone: the return is queued again, the status stays. */
export const onRefundDropped = (deposit: Deposit, signal: RefundDroppedSignal): Verdict => {
  const { refund } = deposit;
  const wrong = wrongReturn(refund, signal);
  if (wrong) return rejected(wrong);
  if (refund?.lastTxid !== signal.refundTxid) return rejected('refund_txid is not the one that was broadcast');
  if (refund.progress === 'queued') return ignored('the return is queued already');
  const { signalId, at, returnId, refundTxid } = signal;
  // An alarm that came while the refund was on its way holds it when it has to be sent again.
  const after = stand(deposit, { returnHeldBecause: standingAlarms(deposit)[0] ?? null });
  const held = after.standing.returnHeldBecause !== null && 'return_held';
  return applies({
    type: 'RefundDropped',
    data: { signalId, returnId, refundTxid, ...factOf(deposit, after, at, 'refund_dropped', held) },
  });
};
