/** What the older transactions have in common with deposits: payments, instants, signals and what they come to. */
export type { CurrentRate } from './amounts.ts';
export { type Refused, refused } from './outcome.ts';
export {
  absenceOf,
  bareHash,
  findPayment,
  isConfirmed,
  isLive,
  keyOf,
  type Payment,
  type PaymentKey,
  type PaymentRef,
  putPayment,
  replaced,
  withKnownSpelling,
} from './payment.ts';
export { isCrowded, isWithoutPlace, isWithoutPlaceConfirmed, withoutPlace } from './places.ts';
export { isKnownReplacement, keptOutBy, replacesItself } from './rival.ts';
export { hasSignalId, noSignalIds, type SignalIds, withSignalId } from './signal-ids.ts';
export type { KeptPayment, SignalSetAside } from './signal-set-aside.ts';
export type * from './signals.ts';
export { type Instant, isAfter, readInstant, secondsAfter } from './time.ts';
export { type Withholding, withholdings } from './words.ts';
