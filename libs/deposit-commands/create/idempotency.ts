import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { type Refused, refused } from '#deposits';
import type { DepositIds, Ids } from '../ids.ts';

/** "The same key and body give the same answer for 24 hours." */
const KEPT = "interval '24 hours'";

export type KeyedCall = {
  readonly affiliateId: number;
  readonly key: string;
  /** A digest of what was asked. */
  readonly bodyHash: Buffer;
};

/** Keyed, because it outlives the erasure of the player: without the key nobody can guess what was asked. */
export const hashOfBody = (key: Buffer, body: object): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(body)).digest();

/** Longer than any call takes: who was cut off in the middle blocks another body no longer than this. */
const IN_FLIGHT = "interval '60 seconds'";

type Row = DepositIds & { readonly sameBody: boolean; readonly fresh: boolean; readonly inFlight: boolean };

/** A call that may be about to write this deposit. */
export type Joined = DepositIds & {
  readonly outcome: 'joined';
  /** It made none: when no other call of these ids is under way either, the key is free for another body. */
  readonly leave: () => Promise<void>;
};

const FIND = `
  SELECT deposit_id AS "depositId", transaction_id AS "transactionId", body_hash = $3 AS "sameBody",
    created_at > now() - ${KEPT} AS fresh, calls_in_flight > 0 AND in_flight_until > now() AS "inFlight"
  FROM idempotency_keys WHERE affiliate_id = $1 AND key = $2`;

const CLAIM = `
  INSERT INTO idempotency_keys (affiliate_id, key, body_hash, deposit_id, transaction_id, calls_in_flight,
    in_flight_until)
  VALUES ($1, $2, $3, $4, $5, 1, now() + ${IN_FLIGHT})
  ON CONFLICT DO NOTHING`;

/** One more call of the same body, on the ids that were looked at. */
const JOIN = `
  UPDATE idempotency_keys SET in_flight_until = now() + ${IN_FLIGHT},
    calls_in_flight = CASE WHEN in_flight_until > now() THEN calls_in_flight ELSE 0 END + 1
  WHERE affiliate_id = $1 AND key = $2 AND body_hash = $3 AND deposit_id = $4`;

const LEAVE = `
  UPDATE idempotency_keys SET calls_in_flight = greatest(calls_in_flight - 1, 0)
  WHERE affiliate_id = $1 AND key = $2 AND body_hash = $3 AND deposit_id = $4`;

/**
 * Only from the row that was looked at, and only while no call is about to write its deposit: of two calls at once one
 * replaces it, the other looks again.
 */
const REPLACE = `
  UPDATE idempotency_keys SET body_hash = $3, deposit_id = $4, transaction_id = $5, created_at = now(),
    calls_in_flight = 1, in_flight_until = now() + ${IN_FLIGHT}
  WHERE affiliate_id = $1 AND key = $2 AND deposit_id = $6 AND NOT (calls_in_flight > 0 AND in_flight_until > now())`;

export type OtherBody = { readonly refusal: 'key_of_another_body' };

type Exists = (depositId: number) => Promise<boolean>;

export type Idempotency = {
  /** The ids that every call of this key and body shares; the same key with another body is refused. */
  readonly join: (call: KeyedCall, exists: Exists) => Promise<Joined | Refused<OtherBody>>;
  /** Forgets keys past their time. */
  readonly prune: () => Promise<void>;
};

export const createIdempotency = (pool: pg.Pool, ids: Ids): Idempotency => {
  const find = async ({ affiliateId, key, bodyHash }: KeyedCall): Promise<Row | undefined> => {
    const { rows } = await pool.query<Row>(FIND, [affiliateId, key, bodyHash]);
    return rows[0];
  };

  const write = async (text: string, call: KeyedCall, fresh: DepositIds, ...more: number[]): Promise<boolean> => {
    const { affiliateId, key, bodyHash } = call;
    const values = [affiliateId, key, bodyHash, fresh.depositId, fresh.transactionId, ...more];
    return (await pool.query(text, values)).rowCount === 1;
  };

  const on = async (text: string, { affiliateId, key, bodyHash }: KeyedCall, depositId: number): Promise<boolean> =>
    (await pool.query(text, [affiliateId, key, bodyHash, depositId])).rowCount === 1;

  /** Each is undefined when another call was quicker: then look again. */
  const claimed = async (call: KeyedCall): Promise<DepositIds | undefined> => {
    const fresh = await ids.nextDeposit();
    return (await write(CLAIM, call, fresh)) ? fresh : undefined;
  };
  const replaced = async (call: KeyedCall, row: Row): Promise<DepositIds | undefined> => {
    const fresh = await ids.nextDeposit();
    return (await write(REPLACE, call, fresh, row.depositId)) ? fresh : undefined;
  };

  /** Only an answer that made a deposit is kept: a key whose calls were refused is free for another body. */
  const isOfAnother = async ({ sameBody, inFlight, fresh, depositId }: Row, exists: Exists): Promise<boolean> =>
    !sameBody && (inFlight || (fresh && (await exists(depositId))));

  const held = async (call: KeyedCall, row: Row): Promise<DepositIds | undefined> => {
    // While a call is under way the key is its, also past its time.
    if (!row.sameBody || !(row.fresh || row.inFlight)) return replaced(call, row);
    return (await on(JOIN, call, row.depositId)) ? row : undefined;
  };

  return {
    join: async (call, exists) => {
      for (;;) {
        const row = await find(call);
        if (row && (await isOfAnother(row, exists))) return refused({ refusal: 'key_of_another_body' });
        const found = row ? await held(call, row) : await claimed(call);
        if (!found) continue;
        const { depositId, transactionId } = found;
        return {
          outcome: 'joined',
          depositId,
          transactionId,
          leave: async () => {
            await on(LEAVE, call, depositId);
          },
        };
      }
    },
    prune: async () => {
      await pool.query(`DELETE FROM idempotency_keys WHERE created_at < now() - 2 * ${KEPT}`);
    },
  };
};
