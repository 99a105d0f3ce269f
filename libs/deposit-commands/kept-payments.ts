import type { EngineSignal, KeptPayment, Payment } from '#deposits';
import { bareHash, findPayment, isCrowded, keyOf, type PaymentKey, type PaymentRef } from '#deposits/floor';
import type { EventLog } from '#event-log';
import { signalSetAsideOf } from './load.ts';

const plainKeyOf = ({ txid, vout }: PaymentRef): PaymentKey => keyOf({ txid: bareHash(txid), vout });

/** Which payment without a place a signal confirms, if any, of those that the stream beside a history keeps. */
export type FindKept = (payments: readonly Payment[], signal: EngineSignal) => Promise<KeptPayment | undefined>;

/** For the signals of one call: what was read of the stream is not read again, and what they add to it is. */
export const keptPayments = (log: Pick<EventLog, 'read'>, stream: string): FindKept => {
  const kept = new Map<PaymentKey, KeptPayment>();
  let next = 0;
  return async (payments, signal) => {
    if (signal.type !== 'payment.confirmed' || !isCrowded(payments) || findPayment(payments, signal)) return undefined;
    for await (const recorded of log.read(stream, { from: next })) {
      next = recorded.revision + 1;
      const { signalId, unplaced } = signalSetAsideOf(recorded).data;
      if (!unplaced) continue;
      const key = plainKeyOf(unplaced.payment);
      if (!kept.has(key)) kept.set(key, { signalId, unplaced });
    }
    return kept.get(plainKeyOf(signal));
  };
};
