import type pg from 'pg';
import { type Ticker, tickers } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { type AccountKey, accountKeys, makeMnemonic } from '../derivation/first-start.ts';

const ACTOR = 'first start';

/** What the mnemonic is sealed for. */
export const FIRST_KEY_PURPOSE = 'first start key of addresses';

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

/**
 * "A key made at first start derives addresses for all currencies until an operator configures extended public keys."
 * A currency that a later release brings gets its account below the same mnemonic.
 */
export const ensureFirstKey = async (pool: pg.Pool, secrets: Sealing): Promise<void> => {
  if ((await withoutKey(pool)).length === 0) return;
  await inTransaction(pool, async (db) => {
    const mnemonic = await firstMnemonic(db, secrets);
    for (const key of await accountKeys(mnemonic, await withoutKey(db))) await insertKey(db, key);
  });
};
