import { shown } from './shown-error.ts';

const RETRY_AFTER_SECONDS = 5;

/** The older interface: "401 if a payload item is incorrect". */
export const legacyErrors = {
  wrongItem: (name: string) =>
    shown(401, name === '' ? 'Invalid payload' : `Invalid ${name}`, { code: 'payload_item_invalid' }),
  unreadable: () => shown(401, 'The payload cannot be parsed', { code: 'payload_unreadable' }),
  invalidToken: () => shown(401, 'Invalid or expired token'),
  /** In the path of an operator's call. */
  invalidId: () => shown(400, 'Invalid transaction ID', { code: 'transaction_id_invalid' }),
  notFound: () => shown(404, 'Transaction not found', { code: 'transaction_not_found' }),
  tooLateToCancel: (status: string) =>
    shown(409, `Cannot cancel: transaction status is '${status}'`, { code: 'too_late_to_cancel' }),
  notToSettle: (status: string) =>
    shown(409, `Cannot settle: transaction status is '${status}', must be 'Confirmed'`, { code: 'not_to_settle' }),
  cryptoStandsOtherwise: (confirmed: string, named: number) =>
    shown(409, `Cannot settle: confirmed_crypto is ${confirmed} now, and ${named} is what was looked at`, {
      code: 'crypto_stands_otherwise',
    }),
  noRate: (currency: string) => shown(502, `Unable to fetch ${currency} rate`, { code: 'rate_unavailable' }),
  failed: () => shown(500, 'Failed to create transaction'),
  noAddress: (currency: string) =>
    shown(
      503,
      `No ${currency} address can be had now; nothing was made, try again`,
      { code: 'address_unavailable' },
      {
        'retry-after': String(RETRY_AFTER_SECONDS),
      },
    ),
} as const;
