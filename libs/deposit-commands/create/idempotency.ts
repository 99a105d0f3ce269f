import { createHash } from 'node:crypto';
import type pg from 'pg';
import { shown } from '#platform/errors';
import type { DepositIds, Ids } from '../ids.ts';

/** "The same key and body give the same answer for 24 hours." */
const KEPT = "interval '24 hours'";

export type KeyedCall = {
  readonly affiliateId: number;
  readonly key: string;
  /** A digest of what was asked. */
  readonly bodyHash: Buffer;
};

export const hashOfBody = (body: object): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

/** Longer than any call takes: who was cut off in the middle blocks another body no longer than this. */
const IN_FLIGHT = "interval '60 seconds'";

type Row = DepositIds & { readonly sameBody: boolean; readonly fresh: boolean; readonly inFlight: boolean };

const FIND = `
  SELECT deposit_id AS "depositId", transaction_id AS "transactionId", body_hash = $3 AS "sameBody",
    created_at > now() - ${KEPT} AS fresh, coalesce(in_flight_until > now(), false) AS "inFlight"
  FROM idempotency_keys WHERE affiliate_id = $1 AND key = $2`;

const CLAIM = `
  INSERT INTO idempotency_keys (affiliate_id, key, body_hash, deposit_id, transaction_id, in_flight_until)
  VALUES ($1, $2, $3, $4, $5, now() + ${IN_FLIGHT})
  ON CONFLICT DO NOTHING`;

/** Only from the row that was looked at: of two calls at once one replaces it, the other looks again. */
const REPLACE = `
  UPDATE idempotency_keys SET body_hash = $3, deposit_id = $4, transaction_id = $5, created_at = now(),
    in_flight_until = now() + ${IN_FLIGHT}
  WHERE affiliate_id = $1 AND key = $2 AND deposit_id = $6`;

export const otherBody = () => shown(422, 'This Idempotency-Key was used with another request body');

export type Idempotency = {
  /** The ids that every call of this key and body shares; the same key with another body is refused with 422. */
  readonly idsFor: (call: KeyedCall, exists: (depositId: number) => Promise<boolean>) => Promise<DepositIds>;
  /** After a call that made no deposit: its key is free for another body. */
  readonly free: (call: KeyedCall) => Promise<void>;
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

  /** Undefined when another call was quicker: then look again. */
  const replaced = async (call: KeyedCall, row: Row): Promise<DepositIds | undefined> => {
    const fresh = await ids.nextDeposit();
    return (await write(REPLACE, call, fresh, row.depositId)) ? fresh : undefined;
  };

  const claimed = async (call: KeyedCall): Promise<DepositIds | undefined> => {
    const fresh = await ids.nextDeposit();
    return (await write(CLAIM, call, fresh)) ? fresh : undefined;
  };

  /** Only an answer that made a deposit is kept: a key whose call was refused is free for another body. */
  const judged = async (call: KeyedCall, row: Row, exists: (depositId: number) => Promise<boolean>) => {
    if (row.sameBody && row.fresh) return row;
    if (row.fresh && (row.inFlight || (await exists(row.depositId)))) throw otherBody();
    return replaced(call, row);
  };

  return {
    idsFor: async (call, exists) => {
      for (;;) {
        const row = await find(call);
        const found = row ? await judged(call, row, exists) : await claimed(call);
        if (found) return found;
      }
    },
    free: async ({ affiliateId, key }) => {
      await pool.query('UPDATE idempotency_keys SET in_flight_until = NULL WHERE affiliate_id = $1 AND key = $2', [
        affiliateId,
        key,
      ]);
    },
    prune: async () => {
      await pool.query(`DELETE FROM idempotency_keys WHERE created_at < now() - 2 * ${KEPT}`);
    },
  };
};
