import { LRUCache } from 'lru-cache';
import type { EngineSignal, KeptPayment, Payment } from '#deposits';
import { bareHash, findPayment, isCrowded, keyOf, type PaymentKey, type PaymentRef } from '#deposits/floor';
import type { EventLog } from '#event-log';
import { signalSetAsideOf } from './load.ts';

const plainKeyOf = ({ txid, vout }: PaymentRef): PaymentKey => keyOf({ txid: bareHash(txid), vout });

type Reads = Pick<EventLog, 'read'>;

/** Which payment without a place a signal confirms, if any, of those that the stream beside a history keeps. */
export type FindKept = (payments: readonly Payment[], signal: EngineSignal) => Promise<KeptPayment | undefined>;

type Kept = { next: number; readonly payments: Map<PaymentKey, KeptPayment> };

/** Crowded ones, which are few. */
const MOST_STREAMS = 100;

/** A stream only grows: what was read of it is not read again, be it for the next signal or for another call. */
const keptOf = new WeakMap<Reads, LRUCache<string, Kept>>();

const rememberedOf = (log: Reads, stream: string): Kept => {
  const streams = keptOf.get(log) ?? new LRUCache<string, Kept>({ max: MOST_STREAMS });
  keptOf.set(log, streams);
  const kept = streams.get(stream) ?? { next: 0, payments: new Map() };
  streams.set(stream, kept);
  return kept;
};

const readOn = async (log: Reads, stream: string, kept: Kept): Promise<void> => {
  for await (const recorded of log.read(stream, { from: kept.next })) {
    // Another call may have read the same meanwhile.
    kept.next = Math.max(kept.next, recorded.revision + 1);
    const { signalId, unplaced } = signalSetAsideOf(recorded).data;
    if (!unplaced) continue;
    const key = plainKeyOf(unplaced.payment);
    if (!kept.payments.has(key)) kept.payments.set(key, { signalId, unplaced });
  }
};

export const keptPayments =
  (log: Reads, stream: string): FindKept =>
  async (payments, signal) => {
    if (signal.type !== 'payment.confirmed' || !isCrowded(payments) || findPayment(payments, signal)) return undefined;
    const kept = rememberedOf(log, stream);
    await readOn(log, stream, kept);
    return kept.payments.get(plainKeyOf(signal));
  };
