import type pg from 'pg';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { KeyHash } from '../authentication/key-hash.ts';
import { createAffiliate, createApiKey, createEntity } from './create.ts';

export type Demonstration = { readonly affiliateId: number; readonly entityId: number; readonly key: string };

const ACTOR = 'first start';

const FEES = [
  { beneficiary: 'BF', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.01 },
  { beneficiary: 'BF', kind: 'FEE', paid_by: 'ENTITY', percent: 0.005 },
  { beneficiary: 'ENTITY', kind: 'FEE', paid_by: 'PLAYER', percent: 0.02 },
];

/** Of several starts at once one takes the turn; the others wait here for it and then get none. */
const takeTurn = async (db: Queryable): Promise<boolean> => {
  const { rowCount } = await db.query(
    'UPDATE installation SET demonstration_at = now() WHERE demonstration_at IS NULL',
  );
  return rowCount === 1;
};

/** An affiliate, a casino and a key to try everything with: once per installation, undefined ever after. */
export const createDemonstration = (
  pool: pg.Pool,
  hash: KeyHash,
  beforeNumbering: () => Promise<void>,
): Promise<Demonstration | undefined> =>
  inTransaction(pool, async (db) => {
    await beforeNumbering();
    if (!(await takeTurn(db))) return undefined;
    const affiliateId = await createAffiliate(db, ACTOR, { name: 'Demonstration' });
    const entityId = await createEntity(db, ACTOR, {
      affiliateId,
      name: 'Demonstration casino',
      externalCode: 'demo',
      mode: 'test',
      noConfAllowed: true,
      instantAllowed: true,
      fees: FEES,
    });
    const { key } = await createApiKey(db, hash, ACTOR, { affiliateId, name: 'Demonstration', mode: 'test' });
    return { affiliateId, entityId, key };
  });
