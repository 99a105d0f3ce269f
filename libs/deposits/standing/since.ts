import { type CameUp, cameUpAt, withCameUp } from '../floor/came-up.ts';
import type { FactEvent } from '../floor/events.ts';
import { absenceOf, findPayment, isLive, keyOf, type PaymentRef } from '../floor/payment.ts';
import type { Deposit } from '../floor/state.ts';
import type { WithholdingReason } from '../floor/words.ts';

/** A payment that was there, or gone otherwise, before: one that is seen first is no loss. */
const lossOf = (before: Deposit, after: Deposit, ref: PaymentRef): readonly CameUp[] => {
  const [known, now] = [findPayment(before.payments, ref), findPayment(after.payments, ref)];
  if (!known || !now) return [];
  const absence = absenceOf(now);
  return absence !== undefined && absence !== absenceOf(known) ? [keyOf(now)] : [];
};

/** A review and a failure stay through more money: whoever looked before it came has not looked at all of it. */
const moneyOf = ({ payments }: Deposit, after: Deposit, ref: PaymentRef, brings = 0): readonly CameUp[] => {
  const { kytStatus } = after.standing;
  if (kytStatus !== 'review' && kytStatus !== 'failed') return [];
  const known = findPayment(payments, ref);
  return known && isLive(known) && brings === 0 ? [] : ['kyt'];
};

const cameUpBy = (before: Deposit, after: Deposit, event: FactEvent): readonly CameUp[] => {
  switch (event.type) {
    case 'KytCompleted':
    case 'KytReviewed':
      return after.standing.kytStatus === 'failed' ? ['kyt', 'kyt_failed'] : ['kyt'];
    case 'OfacCompleted':
      return after.standing.ofacStatus === 'hit' ? ['ofac_hit'] : [];
    case 'SettlementIncluded':
      return ['batch'];
    case 'PaymentSeen': {
      const { payment, newFundingAddresses } = event.data;
      return [...lossOf(before, after, payment), ...moneyOf(before, after, payment, newFundingAddresses.length)];
    }
    case 'PaymentConfirmed':
      return moneyOf(before, after, event.data);
    case 'PaymentDropped':
    case 'PaymentDoubleSpent':
    case 'PaymentReorged':
      return lossOf(before, after, event.data);
    default:
      return [];
  }
};

/** What comes up again is something else than what was there before, whatever word both go by. */
export const keepSince = (before: Deposit, after: Deposit, event: FactEvent): Deposit => {
  const cameUp = cameUpBy(before, after, event);
  return cameUp.length === 0 ? after : { ...after, since: withCameUp(after.since, cameUp, after.revision) };
};

const nameOf = (reason: WithholdingReason): CameUp => {
  const colon = reason.indexOf(':');
  return colon < 0 ? (reason as CameUp) : (reason.slice(colon + 1) as CameUp);
};

/** The revision at which it came up; of a payment that was never there, the first of all. */
export const sinceOf = ({ since }: Pick<Deposit, 'since'>, what: CameUp | WithholdingReason): number =>
  cameUpAt(since, nameOf(what as WithholdingReason)) ?? 0;

/** Whether whoever looked at the history up to a revision has seen it; null: he does not say. */
export const isSeen = (deposit: Deposit, what: CameUp | WithholdingReason, seen: number | null): boolean =>
  seen === null || sinceOf(deposit, what) <= seen;
