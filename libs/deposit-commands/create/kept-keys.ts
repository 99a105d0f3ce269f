import type pg from 'pg';
import { prune, ROWS_AT_ONCE, textArray } from '#platform/postgres';
import { together } from '#platform/together';
import type { DepositIds } from '../ids.ts';

/** "The same key and body give the same answer for 24 hours." */
const KEPT = "interval '24 hours'";

/** Longer than any call takes: who was cut off in the middle blocks another body no longer than this. */
const IN_FLIGHT = "interval '60 seconds'";

export type KeyedCall = {
  readonly affiliateId: number;
  readonly key: string;
  /** A digest of what was asked, without the phone. */
  readonly bodyHash: Buffer;
  /** Of the phone, and of this key alone. */
  readonly phoneHash: Buffer;
};

export type KeptKey = DepositIds & { readonly sameBody: boolean; readonly fresh: boolean; readonly inFlight: boolean };

const FIND = `
  SELECT asked.nth, deposit_id AS "depositId", transaction_id AS "transactionId",
    body_hash = asked.hash AND (phone_of IS DISTINCT FROM deposit_id OR phone_hash = asked.phone) AS "sameBody",
    created_at > now() - ${KEPT} AS fresh, calls_in_flight > 0 AND in_flight_until > now() AS "inFlight"
  FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bytea[]) WITH ORDINALITY AS asked (affiliate, name, hash, phone, nth)
  JOIN idempotency_keys ON affiliate_id = asked.affiliate AND key = asked.name`;

// In one order everywhere, so that two instances with the same keys wait for each other and never in a circle.
const CLAIM = `
  INSERT INTO idempotency_keys
    (affiliate_id, key, body_hash, phone_hash, phone_of, deposit_id, transaction_id, calls_in_flight, in_flight_until)
  SELECT affiliate, name, hash, phone, deposit, deposit, transaction, 1, now() + ${IN_FLIGHT}
  FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::bigint[], $6::bigint[])
    AS given (affiliate, name, hash, phone, deposit, transaction)
  ORDER BY affiliate, name
  ON CONFLICT DO NOTHING RETURNING deposit_id AS "depositId"`;

/** One more call of the same body, on the ids that were looked at. */
const JOIN = `
  UPDATE idempotency_keys SET in_flight_until = now() + ${IN_FLIGHT},
    calls_in_flight = CASE WHEN in_flight_until > now() THEN calls_in_flight ELSE 0 END + 1
  WHERE affiliate_id = $1 AND key = $2 AND body_hash = $3 AND deposit_id = $4`;

/** Its day begins with the call that makes the deposit: those that were refused before gave no answer that is kept. */
const BEGIN_DAY = `
  UPDATE idempotency_keys SET created_at = now()
  WHERE affiliate_id = $1 AND key = $2 AND body_hash = $3 AND deposit_id = $4`;

const LEAVE = `
  UPDATE idempotency_keys SET calls_in_flight = greatest(calls_in_flight - 1, 0)
  WHERE affiliate_id = $1 AND key = $2 AND body_hash = $3 AND deposit_id = $4`;

/**
 * Only from the row that was looked at, and only while no call is about to write its deposit: of two calls at once one
 * replaces it, the other looks again.
 */
const REPLACE = `
  UPDATE idempotency_keys SET body_hash = $3, deposit_id = $4, transaction_id = $5, phone_hash = $7, phone_of = $4,
    created_at = now(), calls_in_flight = 1, in_flight_until = now() + ${IN_FLIGHT}
  WHERE affiliate_id = $1 AND key = $2 AND deposit_id = $6 AND NOT (calls_in_flight > 0 AND in_flight_until > now())`;

/** One that was replaced meanwhile is as young as its new call. */
const PRUNE = `
  WITH old AS (SELECT now() - 2 * ${KEPT} AS since)
  DELETE FROM idempotency_keys WHERE created_at < (SELECT since FROM old) AND (affiliate_id, key) IN (
    SELECT affiliate_id, key FROM idempotency_keys
    WHERE created_at < (SELECT since FROM old) ORDER BY created_at LIMIT ${ROWS_AT_ONCE})`;

const columnsOf = (calls: readonly KeyedCall[]) => [
  calls.map(({ affiliateId }) => affiliateId),
  textArray(calls.map(({ key }) => key)),
  calls.map(({ bodyHash }) => bodyHash),
  calls.map(({ phoneHash }) => phoneHash),
];

/** Where keys are kept. What changes a row tells whether it did: else another call was quicker. */
export const createKeptKeys = (pool: pg.Pool) => {
  const write = async (
    text: string,
    { affiliateId, key, bodyHash }: KeyedCall,
    ...more: readonly (number | Buffer)[]
  ) => (await pool.query(text, [affiliateId, key, bodyHash, ...more])).rowCount === 1;

  /** Those who look, or claim, at the same time share a statement. */
  const find = together<KeyedCall, KeptKey | undefined>(async (calls) => {
    const values = columnsOf(calls);
    const { rows } = await pool.query<KeptKey & { nth: number }>({ name: 'find_kept_keys', text: FIND, values });
    const byPlace = new Map(rows.map(({ nth, ...row }) => [nth, row]));
    return calls.map((_, place) => byPlace.get(place + 1));
  });

  const claim = together<KeyedCall & DepositIds, boolean>(async (calls) => {
    const ids = [calls.map(({ depositId }) => depositId), calls.map(({ transactionId }) => transactionId)];
    const values = [...columnsOf(calls), ...ids];
    const { rows } = await pool.query<{ depositId: number }>({ name: 'claim_kept_keys', text: CLAIM, values });
    const claimed = new Set(rows.map(({ depositId }) => depositId));
    return calls.map(({ depositId }) => claimed.has(depositId));
  });

  return {
    find,
    claim,
    replace: (call: KeyedCall, { depositId, transactionId }: DepositIds, known: number): Promise<boolean> =>
      write(REPLACE, call, depositId, transactionId, known, call.phoneHash),
    join: (call: KeyedCall, depositId: number): Promise<boolean> => write(JOIN, call, depositId),
    beginDay: (call: KeyedCall, depositId: number): Promise<boolean> => write(BEGIN_DAY, call, depositId),
    leave: (call: KeyedCall, depositId: number): Promise<boolean> => write(LEAVE, call, depositId),
    prune: async (stopping?: AbortSignal): Promise<void> => {
      await prune(pool, PRUNE, [], stopping);
    },
  };
};
