import type pg from 'pg';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { type AccountKey, accountKeys, makeMnemonic } from '../derivation/first-start.ts';

const ACTOR = 'first start';

/** What the mnemonic is sealed for. */
export const FIRST_KEY_PURPOSE = 'first start key of addresses';

const isMade = async (db: Queryable): Promise<boolean> =>
  (await db.query('SELECT FROM first_start_key')).rowCount === 1;

/** Of several starts at once the others wait here for the one that came first, and then leave it at that. */
const keep = async (db: Queryable, sealed: Buffer): Promise<boolean> => {
  const kept = await db.query('INSERT INTO first_start_key (mnemonic) VALUES ($1) ON CONFLICT DO NOTHING', [sealed]);
  return kept.rowCount === 1;
};

const insertKey = async (db: Queryable, { currency, path, xpub }: AccountKey): Promise<void> => {
  await db.query(
    `INSERT INTO derivation_keys (currency, xpub, origin, note, active)
     VALUES ($1, $2, 'first start', $3, NOT EXISTS (SELECT FROM derivation_keys WHERE currency = $1 AND active))`,
    [currency, xpub, path],
  );
  const what = { subject: 'extended_key', subjectId: currency, before: null, after: { xpub, note: path } };
  await recordChange(db, { actor: ACTOR, action: 'created', ...what });
};

/** "A key made at first start derives addresses for all currencies until an operator configures extended public keys." */
export const ensureFirstKey = async (pool: pg.Pool, { seal }: Pick<Secrets, 'seal'>): Promise<void> => {
  if (await isMade(pool)) return;
  const mnemonic = makeMnemonic();
  const keys = await accountKeys(mnemonic);
  await inTransaction(pool, async (db) => {
    if (!(await keep(db, seal(FIRST_KEY_PURPOSE, mnemonic)))) return;
    for (const key of keys) await insertKey(db, key);
  });
};
