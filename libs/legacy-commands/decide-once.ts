import { type FindKept, givenTo, newPayment, takenByAnother } from '#deposit-commands';
import { type EngineSignal, setAside } from '#deposits';
import type { EventLog } from '#event-log';
import { decideTransactionSignal, type TransactionSignalOutcome, type TransactionState } from '#legacy-transactions';

/** A payment whose output another has is none: all of these coins have outputs. */
export const decideOnce = async (
  log: Pick<EventLog, 'append' | 'read'>,
  state: TransactionState,
  signal: EngineSignal,
  actor: string,
  findKept: FindKept,
): Promise<TransactionSignalOutcome> => {
  const kept = state.stage === 'none' ? undefined : await findKept(state.payments, signal);
  const decided = decideTransactionSignal(state, signal, kept);
  const payment =
    decided.outcome === 'applied' && state.stage === 'started' ? newPayment(state.payments, decided.events) : undefined;
  if (!payment || state.stage === 'none') return decided;
  const { currency, transactionId } = state.terms;
  const { txid, vout } = payment;
  const data = { at: signal.at, currency, txid, vout, transactionId };
  const owner = await takenByAnother(log, { type: 'LegacyOutputTaken', data }, actor);
  return owner === undefined ? decided : setAside(signal, { outcome: 'rejected', reason: givenTo(owner) });
};
