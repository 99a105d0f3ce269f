import { shown } from './shown-error.ts';

type Verb = 'accept' | 'return' | 'freeze';

/** What accept, return and freeze refuse alike. */
const gates = <V extends Verb>(verb: V) => ({
  alreadyDecided: (decision: string) =>
    shown(400, `Decision is already '${decision}', cannot ${verb}`, { code: 'already_decided' }),
  kytNotCompleted: () => shown(409, `Cannot ${verb}: KYT screening has not completed.`, { code: 'kyt_not_completed' }),
  kytNotPassed: (status: string) =>
    shown(409, `Cannot ${verb}: kyt_status is '${status}', must be 'passed'.`, { code: 'kyt_not_passed' }),
  lostTheRace: () =>
    shown(409, `Cannot ${verb}: deposit decision is no longer 'pending' (already decided by a concurrent request)`, {
      code: 'decided_concurrently',
    }),
});

const screening = (verb: 'accept' | 'return') => ({
  ofacSanctioned: () =>
    shown(409, `Cannot ${verb}: a funding address failed OFAC screening; the deposit is frozen`, {
      code: 'ofac_sanctioned',
    }),
  ofacPending: (deadlineAt?: string) =>
    shown(409, `Cannot ${verb}: OFAC screening is not finished`, {
      code: 'ofac_screen_pending',
      ...(deadlineAt === undefined ? {} : { ofac_deadline_at: deadlineAt }),
    }),
});

/** POST /casino/deposit/{id}/accept, in the order of its checks. */
export const acceptErrors = {
  ...gates('accept'),
  ...screening('accept'),
  doubleSpent: () =>
    shown(409, 'Cannot accept: the funding transaction was double-spent before confirmation.', {
      code: 'double_spent',
    }),
  notConfirmed: (status: string) =>
    shown(409, `Cannot accept: transaction status is '${status}' (not yet confirmed). Wait for confirmation.`, {
      code: 'not_confirmed',
    }),
  notEligible: (state: string | null) =>
    shown(409, `Cannot accept: no-conf deposit is not eligible yet (state: ${state ?? 'pending'})`, {
      code: 'no_conf_not_eligible',
    }),
  wrongStatus: (status: string) =>
    shown(409, `Cannot accept: transaction status is '${status}'.`, { code: 'wrong_payment_status' }),
  lateRequiresCurrentRate: () =>
    shown(400, 'Cannot accept: a late payment is priced at the current rate; send adjust_to_received true', {
      code: 'late_payment_requires_current_rate',
    }),
  lateNoReceivedAmount: () =>
    shown(409, 'Cannot accept: the late payment has no confirmed received amount', {
      code: 'late_payment_no_received_amount',
    }),
  lateRateUnavailable: (currency: string) =>
    shown(502, `Unable to fetch ${currency} rate`, { code: 'late_payment_rate_unavailable' }),
  lateValueUnavailable: (currency: string) =>
    shown(502, `Unable to value ${currency} at the current rate`, { code: 'late_payment_rate_unavailable' }),
  instantReceivedOverCap: (receivedUsd: number, maxUsd: number) =>
    shown(
      409,
      `Cannot accept: received ${receivedUsd} USD, above the instant ceiling of ${maxUsd} USD; wait for KYT to pass`,
      { code: 'instant_received_over_cap', received_usd: receivedUsd, instant_received_max_usd: maxUsd },
    ),
  amountMismatch: (quoted: string, received: string, currency: string) =>
    shown(
      400,
      `Amount mismatch: quoted ${quoted} ${currency}, received ${received} ${currency}; send adjust_to_received true to accept the received amount, or call return`,
      { code: 'amount_mismatch' },
    ),
  lateReceivedPrecision: () =>
    shown(409, 'Cannot accept: the received amount cannot be represented at the quote precision; call return', {
      code: 'late_payment_received_precision',
    }),
  transactionNotFound: () =>
    shown(500, 'Underlying transaction not found', { code: 'underlying_transaction_not_found' }),
  ledgerInvalid: () =>
    shown(500, 'Deposit charge ledger is invalid; contact the operator', { code: 'charges_invalid' }),
  noMarketRate: () =>
    shown(500, 'Transaction has no market rate; cannot re-quote to the received amount', {
      code: 'market_rate_missing',
    }),
  failed: () => shown(500, 'Failed to accept deposit'),
} as const;

/** POST /casino/deposit/{id}/return. */
export const returnErrors = {
  ...gates('return'),
  ...screening('return'),
  notConfirmed: (status: string) =>
    shown(409, `Cannot return: transaction status is '${status}' (must be 'Confirmed')`, {
      code: 'wrong_payment_status',
    }),
  nothingReceived: (amount: string) =>
    shown(409, `Cannot return: confirmed_crypto is ${amount} (must be > 0)`, { code: 'nothing_received' }),
  inProgress: () => shown(409, 'A return is already in progress for this transaction', { code: 'return_in_progress' }),
  failed: () => shown(500, 'Failed to process return'),
} as const;

/** POST /casino/deposit/{id}/freeze. */
export const freezeErrors = gates('freeze');

/** Any command on a deposit. */
export const commandErrors = {
  tooManyCalls: () =>
    shown(503, 'Too many calls change this deposit at once; nothing was recorded, try again', { code: 'deposit_busy' }),
  /** Where a number could be given that was given before. */
  numbersUnavailable: () =>
    shown(
      503,
      'The service is being brought up to date with its event log, and gives out no numbers until then; nothing was made, try again',
      { code: 'numbers_unavailable' },
      { 'retry-after': '5' },
    ),
} as const;
