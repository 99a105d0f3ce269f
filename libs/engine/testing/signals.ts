import type { EngineSignal } from '#deposits';

type Fact = EngineSignal extends infer Each
  ? Each extends EngineSignal
    ? Omit<Each, 'signalId' | 'at' | 'now'>
    : never
  : never;

let signals = 0;

/** A signal with an id and a time of its own. */
export const signal = (fact: Fact, at = new Date().toISOString()): EngineSignal => ({
  ...fact,
  signalId: `test-${++signals}`,
  at,
  now: at,
});

/** Paid in full, screened and confirmed. */
export const paidSignals = (txid = 'tx-1', at?: string): readonly EngineSignal[] => [
  signal({ type: 'payment.seen', txid, vout: 0, amount: '2', fundingAddresses: ['from'], replaceable: false }, at),
  signal({ type: 'kyt.completed', status: 'passed', riskScore: null }, at),
  signal({ type: 'ofac.completed', status: 'clear', address: null }, at),
  signal({ type: 'payment.confirmed', txid, vout: 0, confirmations: 1, blockHash: null, blockHeight: null }, at),
];
