/** Every word that a deposit can stand at. The doors show these lists; the types follow from them. */

export const paymentStatuses = [
  'Pending',
  'Succeed',
  'Underpaid',
  'Overpaid',
  'Confirmed',
  'ConfirmedApproved',
  'ConfirmedKYTReview',
  'Timedout',
  'Refund',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const depositDecisions = ['pending', 'accepted', 'returned', 'frozen'] as const;
export type DepositDecision = (typeof depositDecisions)[number];

export const noConfStates = ['pending_guards', 'eligible', 'fell_back', 'double_spent'] as const;
export type NoConfState = (typeof noConfStates)[number];

export const kytResults = ['passed', 'review', 'failed'] as const;
export type KytResult = (typeof kytResults)[number];

export const kytStatuses = ['pending', ...kytResults] as const;
export type KytStatus = (typeof kytStatuses)[number];

/** Where KYT waits for an operator, or may be overruled by one. */
export const reviewedStatuses = ['review', 'failed'] as const;
export type ReviewedStatus = (typeof reviewedStatuses)[number];

/** What an operator can make of a KYT review. */
export const reviewResults = ['passed', 'failed'] as const;
export type ReviewResult = (typeof reviewResults)[number];

export const ofacAnswers = ['clear', 'hit'] as const;
export type OfacAnswer = (typeof ofacAnswers)[number];

export const ofacStatuses = ['pending', ...ofacAnswers, 'timed_out'] as const;
export type OfacStatus = (typeof ofacStatuses)[number];

/** Whether the player of an instant deposit was known when the quote was issued. */
export const instantTiers = ['first', 'returning'] as const;
export type InstantTier = (typeof instantTiers)[number];

/** What screening can find that freezes a deposit or holds its return. */
export const screeningAlarms = ['ofac_hit', 'kyt_failed'] as const;
export type ScreeningAlarm = (typeof screeningAlarms)[number];

/** Why nobody can be paid from a payment now; what weighs most comes first. */
export const absences = ['double_spent', 'dropped', 'reorged', 'unconfirmed'] as const;
export type Absence = (typeof absences)[number];

/** Why an accepted live deposit is kept out of settlement; what weighs most comes first. */
export const withholdings = ['ofac_hit', 'kyt_failed', ...absences] as const;
export type Withholding = (typeof withholdings)[number];

/** One thing that withholds it: of a payment with its key, `double_spent:<txid>:<vout>`; of the whole deposit the word. */
export type WithholdingReason = Withholding | `${Withholding}:${string}`;

/** What the payment engine can report. */
export const signalTypes = [
  'payment.seen',
  'payment.confirmed',
  'payment.dropped',
  'payment.double_spent',
  'payment.reorged',
  'quote.expired',
  'guards.completed',
  'kyt.completed',
  'ofac.completed',
  'ofac.deadline_missed',
  'refund.broadcast',
  'refund.dropped',
  'settlement.included',
] as const;
export type SignalType = (typeof signalTypes)[number];
