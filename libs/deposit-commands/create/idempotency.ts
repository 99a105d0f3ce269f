import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { type Refused, refused } from '#deposits';
import type { DepositIds, Ids } from '../ids.ts';
import { createKeptKeys, type KeptKey, type KeyedCall } from './kept-keys.ts';

/** Keyed, because it outlives the erasure of the player: without the key nobody can guess what was asked. */
export const hashOfBody = (key: Buffer, body: object): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(body)).digest();

/** A call that may be about to write this deposit. */
export type Joined = DepositIds & {
  readonly outcome: 'joined';
  /** These ids were given out just now: no call of this key can have written their deposit before. */
  readonly isNew: boolean;
  /** Before it makes the deposit: for a day from now on the key gives that. */
  readonly beginDay: () => Promise<void>;
  /** It made none: when no other call of these ids is under way either, the key is free for another body. */
  readonly leave: () => Promise<void>;
};

export type OtherBody = { readonly refusal: 'key_of_another_body' };

type Exists = (depositId: number) => Promise<boolean>;

export type Idempotency = {
  /** The ids that every call of this key and body shares; the same key with another body is refused. */
  readonly join: (call: KeyedCall, exists: Exists) => Promise<Joined | Refused<OtherBody>>;
  /** Forgets keys past their time. */
  readonly prune: () => Promise<void>;
};

type Taken = DepositIds & { readonly isNew: boolean };

export const createIdempotency = (pool: pg.Pool, ids: Ids): Idempotency => {
  const keys = createKeptKeys(pool);

  /** Each is undefined when another call was quicker: then look again. */
  const claimed = async (call: KeyedCall): Promise<Taken | undefined> => {
    const fresh = await ids.nextDeposit();
    return (await keys.claim({ ...call, ...fresh })) ? { ...fresh, isNew: true } : undefined;
  };
  const replaced = async (call: KeyedCall, { depositId }: KeptKey): Promise<Taken | undefined> => {
    const fresh = await ids.nextDeposit();
    return (await keys.replace(call, fresh, depositId)) ? { ...fresh, isNew: true } : undefined;
  };

  /** Only an answer that made a deposit is kept: a key whose calls were refused is free for another body. */
  const isOfAnother = async ({ sameBody, inFlight, fresh, depositId }: KeptKey, exists: Exists): Promise<boolean> =>
    !sameBody && (inFlight || (fresh && (await exists(depositId))));

  const held = async (call: KeyedCall, row: KeptKey): Promise<Taken | undefined> => {
    // While a call is under way the key is its, also past its time.
    if (!row.sameBody || !(row.fresh || row.inFlight)) return replaced(call, row);
    return (await keys.join(call, row.depositId)) ? { ...row, isNew: false } : undefined;
  };

  return {
    join: async (call, exists) => {
      for (;;) {
        const row = await keys.find(call);
        if (row && (await isOfAnother(row, exists))) return refused({ refusal: 'key_of_another_body' });
        const found = row ? await held(call, row) : await claimed(call);
        if (!found) continue;
        const { depositId, transactionId, isNew } = found;
        return {
          outcome: 'joined',
          ...{ depositId, transactionId, isNew },
          beginDay: async () => {
            if (!isNew) await keys.beginDay(call, depositId);
          },
          leave: async () => {
            await keys.leave(call, depositId);
          },
        };
      }
    },
    prune: keys.prune,
  };
};
