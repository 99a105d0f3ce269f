/** The deposit, pure: what a command comes to, and what a history adds up to. */
export { type AssignRefusal, decideAssign } from './address/assign.ts';
export { decide, type Outcome } from './decide.ts';
export { decideSignal, setAside } from './decide-signal.ts';
export { decideAccept } from './decision/accept.ts';
export { decideFreeze } from './decision/freeze.ts';
export type { AcceptRefusal, FreezeRefusal, ReturnRefusal } from './decision/refusals.ts';
export { decideReturn } from './decision/return.ts';
export { evolve } from './evolve.ts';
export {
  type Amounts,
  beneficiaries,
  type Charge,
  type CurrentRate,
  chargeKinds,
  payers,
} from './floor/amounts.ts';
export type { Changes } from './floor/changes.ts';
export type * from './floor/commands.ts';
export { type Echoed, type EchoedView, echoedIn, echoedOf, echoedView, nothingEchoed } from './floor/echoed.ts';
export type * from './floor/events.ts';
export { depositEventVersions } from './floor/events.ts';
export {
  type Applied,
  type CommandOutcome,
  type Refused,
  refused,
  type SignalOutcome,
  signalOutcomes,
} from './floor/outcome.ts';
export { type OutputTaken, outputTakenVersions } from './floor/output-taken.ts';
export type { Payment } from './floor/payment.ts';
export { MOST_KNOWN_PAYMENTS } from './floor/places.ts';
export type { AmountLimits, FeeSetting, InstantCaps } from './floor/settings.ts';
export { type KeptPayment, type SignalSetAside, signalSetAsideVersions } from './floor/signal-set-aside.ts';
export type * from './floor/signals.ts';
export type * from './floor/state.ts';
export { initialState, type Refund } from './floor/state.ts';
export { type Instant, isAfter, isCalendarDay, readInstant, readTyped } from './floor/time.ts';
export * from './floor/words.ts';
export { defaultInstantCaps } from './quote/caps.ts';
export { checkedFees } from './quote/fees.ts';
export {
  type AskQuote,
  decideIssue,
  decideQuote,
  issueQuote,
  openingStanding,
  type QuoteOutcome,
  roundsToZero,
} from './quote/issue.ts';
export type { QuoteRefusal } from './quote/refusals.ts';
export { holdsOf } from './refund/holds.ts';
export { decideRelease, type ReleaseRefusal } from './refund/release.ts';
export { decideReview, type ReviewRefusal } from './screening/review.ts';
export { decideReleaseSettlement, type SettlementRefusal } from './settlement/release.ts';
export { isAcceptable } from './standing/acceptable.ts';
export { countedIn } from './standing/counting.ts';
export { screenedOf } from './standing/screened.ts';
export { sinceOf } from './standing/since.ts';
export { isConfirmedStatus } from './standing/status.ts';
export { withholdingsOf } from './standing/withheld.ts';
export { acceptView, amountsView, briefAmountsView, createdView, depositView } from './view.ts';
