/** The deposit, pure: what a command comes to, and what a history adds up to. */
export { type AssignRefusal, decideAssign } from './address/assign.ts';
export type { Changes } from './changes.ts';
export type * from './commands.ts';
export { decide, type NotFound, type Outcome, type Refusal } from './decide.ts';
export { decideSignal } from './decide-signal.ts';
export { decideAccept } from './decision/accept.ts';
export { isAcceptable } from './decision/acceptable.ts';
export { decideFreeze } from './decision/freeze.ts';
export type { AcceptRefusal, FreezeRefusal, ReturnRefusal } from './decision/refusals.ts';
export { decideReturn } from './decision/return.ts';
export type * from './events.ts';
export { schemaVersion } from './events.ts';
export { evolve } from './evolve.ts';
export type { Applied, CommandOutcome, Refused, SignalOutcome } from './outcome.ts';
export type { Payment, PaymentKey } from './payments/payment.ts';
export { isConfirmedStatus } from './payments/status.ts';
export {
  type Amounts,
  beneficiaries,
  type Charge,
  type CurrentRate,
  type Fee,
  kinds,
  payers,
} from './quote/amounts.ts';
export { defaultInstantCaps, type InstantCaps } from './quote/caps.ts';
export { checkedFees, type FeeSetting } from './quote/fees.ts';
export { decideIssue, openingStanding, roundsToZero } from './quote/issue.ts';
export type { IssueRefusal } from './quote/refusals.ts';
export type { Refund } from './refund/refund.ts';
export { decideRelease, type ReleaseRefusal } from './refund/release.ts';
export { decideReview, type ReviewRefusal } from './screening/review.ts';
export type * from './signals.ts';
export type * from './state.ts';
export { initialState } from './state.ts';
export { type Instant, readInstant } from './time.ts';
export { acceptView, amountsView, chargeView, createdView, depositView } from './view.ts';
