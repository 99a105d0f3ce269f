import type pg from 'pg';
import { type Ticker, tickers } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { SealedPlace, Secrets } from '#platform/secrets';
import { type AccountKey, accountKeys, makeMnemonic } from '../derivation/first-start.ts';
import { retireOthers } from './retire.ts';

const ACTOR = 'first start';

/** What the mnemonic is sealed for. */
export const FIRST_KEY_PURPOSE = 'first start key of addresses';

export const sealedFirstKey: SealedPlace = {
  table: 'first_start_key',
  id: 'only_one',
  column: 'mnemonic',
  purpose: FIRST_KEY_PURPOSE,
};

type Sealing = Pick<Secrets, 'seal' | 'open'>;

/** Of several starts at once one makes the mnemonic, and all take that. */
const firstMnemonic = async (db: Queryable, { seal, open }: Sealing): Promise<string> => {
  const sealed = seal(FIRST_KEY_PURPOSE, makeMnemonic());
  await db.query('INSERT INTO first_start_key (mnemonic) VALUES ($1) ON CONFLICT DO NOTHING', [sealed]);
  const { rows } = await db.query<{ mnemonic: Buffer }>('SELECT mnemonic FROM first_start_key FOR UPDATE');
  if (!rows[0]) throw new Error('the mnemonic of the first start did not come back');
  return open(FIRST_KEY_PURPOSE, rows[0].mnemonic);
};

const withoutKey = async (db: Queryable): Promise<readonly Ticker[]> => {
  const { rows } = await db.query<{ currency: string }>(
    "SELECT DISTINCT currency FROM derivation_keys WHERE origin = 'first start'",
  );
  const known = new Set(rows.map(({ currency }) => currency));
  return tickers.filter((ticker) => !known.has(ticker));
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

/** With DEMO=true again it goes on where nothing else was configured, and without it no address of it goes out. */
const switchKey = async (db: Queryable, active: boolean): Promise<void> => {
  const { rows } = await db.query<{ currency: Ticker }>(
    `UPDATE derivation_keys k SET active = $1 WHERE origin = 'first start' AND active <> $1
       AND NOT EXISTS (SELECT FROM derivation_keys other WHERE other.currency = k.currency AND other.active AND $1)
     RETURNING currency`,
    [active],
  );
  for (const { currency } of rows) {
    await retireOthers(db, currency);
    const what = { subject: 'extended_key', subjectId: currency, before: { active: !active }, after: { active } };
    await recordChange(db, { actor: 'DEMO', action: 'changed', ...what });
  }
};

/** A currency that a later release brings gets its account below the same mnemonic. */
const insertMissing = async (db: Queryable, secrets: Sealing): Promise<void> => {
  if ((await withoutKey(db)).length === 0) return;
  const mnemonic = await firstMnemonic(db, secrets);
  for (const key of await accountKeys(mnemonic, await withoutKey(db))) await insertKey(db, key);
};

/**
 * "A key made then derives addresses for all currencies until an operator configures extended public keys; without
 * DEMO no deposit gets an address before he did."
 */
export const prepareFirstKey = (pool: pg.Pool, secrets: Sealing, demo: boolean): Promise<void> =>
  inTransaction(pool, async (db) => {
    if (demo) await insertMissing(db, secrets);
    await switchKey(db, demo);
  });

/** Whether addresses go out that belong to nobody's wallet. */
export const isFirstKeyInUse = async (db: Queryable): Promise<boolean> =>
  (await db.query("SELECT FROM derivation_keys WHERE origin = 'first start' AND active LIMIT 1")).rowCount === 1;
