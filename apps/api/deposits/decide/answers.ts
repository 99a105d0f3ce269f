import type { AcceptOutcome, FreezeOutcome, ReturnOutcome } from '#deposit-commands';
import type { AcceptRefusal, FreezeRefusal, ReturnRefusal } from '#deposits';
import { answersTo, appliedOr, unapplied } from '#door/answers';
import { acceptErrors, freezeErrors, returnErrors } from '#door/errors';
import { wireNumberOf } from '#money';

const acceptRefused = answersTo<AcceptRefusal>({
  already_decided: ({ decision }) => acceptErrors.alreadyDecided(decision),
  double_spent: acceptErrors.doubleSpent,
  not_confirmed: ({ status }) => acceptErrors.notConfirmed(status),
  not_eligible: ({ noConfState }) => acceptErrors.notEligible(noConfState),
  wrong_status: ({ status }) => acceptErrors.wrongStatus(status),
  ofac_sanctioned: acceptErrors.ofacSanctioned,
  ofac_screen_pending: ({ ofacDeadlineAt }) => acceptErrors.ofacPending(ofacDeadlineAt ?? undefined),
  late_payment_requires_current_rate: acceptErrors.lateRequiresCurrentRate,
  late_payment_no_received_amount: acceptErrors.lateNoReceivedAmount,
  late_payment_rate_unavailable: ({ currency, unable }) =>
    unable === 'fetch' ? acceptErrors.lateRateUnavailable(currency) : acceptErrors.lateValueUnavailable(currency),
  instant_received_over_cap: ({ receivedUsd, instantReceivedMaxUsd }) =>
    acceptErrors.instantReceivedOverCap(wireNumberOf(receivedUsd), wireNumberOf(instantReceivedMaxUsd)),
  kyt_not_completed: acceptErrors.kytNotCompleted,
  kyt_not_passed: ({ kytStatus }) => acceptErrors.kytNotPassed(kytStatus),
  amount_mismatch: ({ quoted, received, currency }) => acceptErrors.amountMismatch(quoted, received, currency),
  late_payment_received_precision: acceptErrors.lateReceivedPrecision,
  received_precision: acceptErrors.failed,
  charge_ledger_invalid: acceptErrors.ledgerInvalid,
  no_market_rate: acceptErrors.noMarketRate,
});

const returnRefused = answersTo<ReturnRefusal>({
  already_decided: ({ decision }) => returnErrors.alreadyDecided(decision),
  ofac_sanctioned: returnErrors.ofacSanctioned,
  ofac_screen_pending: ({ ofacDeadlineAt }) => returnErrors.ofacPending(ofacDeadlineAt ?? undefined),
  kyt_not_completed: returnErrors.kytNotCompleted,
  kyt_not_passed: ({ kytStatus }) => returnErrors.kytNotPassed(kytStatus),
  not_confirmed: ({ status }) => returnErrors.notConfirmed(status),
  nothing_received: ({ confirmedCrypto }) => returnErrors.nothingReceived(confirmedCrypto),
  return_in_progress: returnErrors.inProgress,
  // The gates ran without a body; there is nowhere to send anything.
  return_address_missing: returnErrors.failed,
});

const freezeRefused = answersTo<FreezeRefusal>({
  already_decided: ({ decision }) => freezeErrors.alreadyDecided(decision),
  kyt_not_completed: freezeErrors.kytNotCompleted,
  kyt_not_passed: ({ kytStatus }) => freezeErrors.kytNotPassed(kytStatus),
});

export const accepted = appliedOr<AcceptOutcome>({
  ...unapplied,
  lost_race: acceptErrors.lostTheRace,
  refused: ({ refusal }) => acceptRefused(refusal),
});

export const returned = appliedOr<ReturnOutcome>({
  ...unapplied,
  lost_race: returnErrors.lostTheRace,
  refused: ({ refusal }) => returnRefused(refusal),
});

export const frozen = appliedOr<FreezeOutcome>({
  ...unapplied,
  lost_race: freezeErrors.lostTheRace,
  refused: ({ refusal }) => freezeRefused(refusal),
});
