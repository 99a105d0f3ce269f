import type { Kind } from './kind.ts';

/** Of payments that nothing leads on by itself, or that nothing has for long. */
export const paymentKinds = {
  payment_after_decision: {
    severity: 'warning',
    // Nothing in here gives it back or credits it: it is told of for a month since the last that came.
    rows: `SELECT paid_after_decision_at AS at, id FROM deposits
      WHERE paid_after_decision_at > now() - interval '30 days' ORDER BY paid_after_decision_at`,
    list: '/operator/deposits?waiting=payment_after_decision',
  },
  payment_unconfirmed: {
    severity: 'warning',
    // Until it is confirmed or gone. What is given back waits under `return_unfunded`.
    rows: `SELECT updated_at AS at, id FROM deposits WHERE status IN ('Succeed', 'Underpaid', 'Overpaid')
      AND decision IN ('pending', 'accepted') AND updated_at < now() - interval '24 hours' ORDER BY updated_at`,
    list: '/operator/deposits?waiting=payment_unconfirmed',
  },
  transaction_flagged: {
    severity: 'warning',
    // While its money is there and it is not settled; afterwards for a month what its success says nothing of. The
    // payments of one whose block was dropped may be confirmed again: nothing here says so, and nothing says when.
    rows: `SELECT updated_at AS at, id FROM legacy_transactions WHERE flags <> '[]'::jsonb
      AND (status IN ('Pending', 'Confirmed') OR status = 'Succeeded' AND updated_at > now() - interval '30 days'
        AND flags ?| '{payment_after_success,payment_lost_after_success,confirmation_reorged}'::text[]) ORDER BY id`,
    list: '/operator/transactions?waiting=transaction_flagged',
  },
  transaction_unconfirmed: {
    severity: 'warning',
    rows: `SELECT updated_at AS at, id FROM legacy_transactions WHERE status = 'Pending'
      AND updated_at < now() - interval '24 hours' ORDER BY id`,
    list: '/operator/transactions?waiting=transaction_unconfirmed',
  },
} as const satisfies Readonly<Record<string, Kind>>;
