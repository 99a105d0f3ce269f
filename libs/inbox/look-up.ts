import type { Queryable } from '#platform/postgres';
import { transactionForms } from './transaction-forms.ts';

export const foundKinds = ['deposit', 'transaction', 'delivery', 'casino', 'player'] as const;
export const foundBy = [
  ...(['id', 'transaction_id', 'return_id', 'batch_id', 'address', 'return_address'] as const),
  ...(['txid', 'webhook_id', 'signal_id', 'gambler_ref'] as const),
] as const;

export type Found = {
  readonly kind: (typeof foundKinds)[number];
  readonly id: string;
  /** What of it is what was looked for. */
  readonly by: (typeof foundBy)[number];
};

/** A name that means this many things is found by the first of them. */
const MOST_FOUND = 50;

const ofSubject = (by: Found['by'], rows: string): string => `
  SELECT CASE WHEN deposit_id IS NULL THEN 'transaction' ELSE 'deposit' END AS kind,
    coalesce(deposit_id, transaction_id)::text AS id, '${by}' AS by
  FROM ${rows}`;

const ofSignal = (by: Found['by'], where: string): string =>
  ofSubject(by, `engine_signals WHERE num_nonnulls(deposit_id, transaction_id) > 0 AND ${where}`);

const one = (kind: Found['kind'], id: string, by: Found['by'], rows: string): string =>
  `SELECT '${kind}' AS kind, ${id}::text AS id, '${by}' AS by FROM ${rows}`;

/** As it is indexed. */
const TXID = `left(lower(substring(payload from '"(?:refund_)?txid":"([^"\\\\]+)"')), 255)`;

const BY_TEXT = [
  ofSignal('txid', `type IN ('payment.seen', 'refund.broadcast') AND ${TXID} = ANY ($4)`),
  ofSubject('txid', 'simulated_payments WHERE txid = ANY ($4)'),
  ofSignal('signal_id', 'signal_id = $1'),
  one('deposit', 'deposit_id', 'txid', 'returns WHERE last_txid IS NOT NULL AND lower(last_txid) = ANY ($4)'),
  one(
    'deposit',
    'deposit_id',
    'txid',
    'refund_attempts JOIN returns USING (return_id) WHERE txid = ANY ($4::text[] || $1)',
  ),
  one('deposit', 'id', 'batch_id', 'deposits WHERE settlement_batch_id = $1'),
  one('deposit', 'deposit_id', 'return_address', 'returns WHERE left(lower(address), 255) = left(lower($1), 255)'),
  one('delivery', 'id', 'webhook_id', 'webhook_deliveries WHERE webhook_id = $2::uuid'),
  one('player', 'gambler_ref', 'gambler_ref', '(SELECT gambler_ref FROM deposits WHERE gambler_ref = $1 LIMIT 1) AS p'),
];

const BY_NUMBER = [
  one('deposit', 'id', 'transaction_id', 'deposits WHERE transaction_id = $3::bigint'),
  one('deposit', 'deposit_id', 'return_id', 'returns WHERE return_id = $3::bigint'),
  one('delivery', 'id', 'id', 'webhook_deliveries WHERE id = $3::bigint'),
  one('casino', 'id', 'id', 'entities WHERE id = $3::bigint'),
];

const ALL = [...BY_TEXT, ...BY_NUMBER]
  .map((each, nth) => `SELECT DISTINCT ${nth} AS nth, kind, id, by FROM (${each} LIMIT ${MOST_FOUND}) AS of_${nth}`)
  .join(' UNION ALL ');

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whatever has this name, of every kind; each by an index, and none of a projection that is waited for. */
export const lookUp = async (db: Queryable, name: string, number: number | undefined): Promise<readonly Found[]> => {
  const { rows } = await db.query<Found>(
    `SELECT kind, id, by FROM (${ALL}) AS found GROUP BY kind, id, by ORDER BY min(nth), id DESC`,
    [...[name, UUID.test(name) ? name : null, number ?? null, transactionForms(name)]],
  );
  return rows;
};
