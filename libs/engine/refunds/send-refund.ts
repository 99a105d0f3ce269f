import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type ApplySignals, loadDeposit } from '#deposit-commands';
import { type Deposit, decideSignal, type EngineSignal, type Refund } from '#deposits';
import type { EventLog } from '#event-log';
import type { Logger } from '#platform/logging';
import { type Attempt, claimAttempt, lastAttempt, markSent, recordAttempt, releaseAttempt } from './attempts.ts';
import type { RefundOrder, RefundSender } from './refund-sender.ts';

export type RefundParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'read'>;
  readonly applySignals: ApplySignals;
  readonly sender: RefundSender;
  readonly logger: Logger;
  readonly now: () => Date;
};

const orderOf = ({ terms }: Deposit, refund: Refund, attempt: number): RefundOrder => ({
  returnId: refund.returnId,
  attempt,
  currency: terms.currency,
  address: refund.returnAddress,
  amount: refund.cryptoAmount,
});

/**
 * The attempt that stands on record and was not reported yet, or a new one. Only a transaction that was reported and
 * then dropped makes room for another: whatever else happened, it may still be on its way.
 */
const openAttempt = async ({ pool, sender }: RefundParts, deposit: Deposit, refund: Refund): Promise<Attempt> => {
  const last = await lastAttempt(pool, refund.returnId);
  if (last && last.txid !== refund.lastTxid) return last;
  const attempt = (last?.attempt ?? 0) + 1;
  const prepared = await sender.prepare(orderOf(deposit, refund, attempt));
  await recordAttempt(pool, refund.returnId, { ...prepared, attempt });
  return (await lastAttempt(pool, refund.returnId)) ?? { ...prepared, attempt };
};

const reportOf = (refund: Refund, refundTxid: string, now: Date): EngineSignal => ({
  type: 'refund.broadcast',
  // A report that was refused once has to come again under another id; the deposit knows the transaction.
  signalId: `refund-${refund.returnId}-${randomUUID()}`,
  at: now.toISOString(),
  now: now.toISOString(),
  returnId: refund.returnId,
  refundTxid,
});

const sendAndReport = async (parts: RefundParts, deposit: Deposit, refund: Refund, attempt: Attempt): Promise<void> => {
  const { pool, sender, applySignals, logger, now } = parts;
  await sender.send(orderOf(deposit, refund, attempt.attempt), attempt);
  await markSent(pool, refund.returnId, attempt.attempt);
  const [result] = await applySignals(deposit.terms.depositId, [reportOf(refund, attempt.txid, now())], 'engine');
  if (result?.outcome === 'rejected' || result?.outcome === 'busy')
    logger.error(
      {
        deposit_id: deposit.terms.depositId,
        return_id: refund.returnId,
        txid: attempt.txid,
        reason: 'detail' in result ? result.detail : result.outcome,
      },
      'a refund was sent and its report refused; it is reported again with the next cycle',
    );
};

/** Asks the deposit itself, as it stands in the log, before money moves; the queue may be behind it. */
const maySend = (deposit: Deposit, refund: Refund, now: Date): boolean =>
  decideSignal(deposit, reportOf(refund, 'about to be sent', now)).outcome === 'applied';

type Sendable = { readonly deposit: Deposit; readonly refund: Refund };

const sendable = async ({ log, now }: RefundParts, depositId: number): Promise<Sendable | undefined> => {
  const { state } = await loadDeposit(log, depositId);
  if (state.stage === 'none' || state.refund === null) return undefined;
  return maySend(state, state.refund, now()) ? { deposit: state, refund: state.refund } : undefined;
};

/** Sends one queued return, or leaves it for a later cycle. */
export const sendRefund = async (parts: RefundParts, depositId: number): Promise<void> => {
  const seen = await sendable(parts, depositId);
  if (!seen) return;
  const { deposit, refund } = seen;
  const attempt = await openAttempt(parts, deposit, refund);
  if (!(await claimAttempt(parts.pool, refund.returnId, attempt.attempt))) return;
  try {
    // Another instance may have sent and reported it since the look, and let its claim go: nobody can from here on.
    const still = await sendable(parts, depositId);
    if (still && still.refund.lastTxid === refund.lastTxid)
      await sendAndReport(parts, still.deposit, still.refund, attempt);
  } finally {
    await releaseAttempt(parts.pool, refund.returnId, attempt.attempt);
  }
};
