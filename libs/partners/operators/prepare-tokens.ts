import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { inTransaction, type Queryable } from '#platform/postgres';
import { insertRow } from '../accounts/rows.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import { makeSecret } from '../authentication/key-text.ts';
import { tokenByHash } from './token-record.ts';

export type TokenSettings = { readonly operator?: string | undefined; readonly engine?: string | undefined };

/** Only what was made at random: it is seen here and never again. */
export type MadeTokens = { readonly operatorToken?: string; readonly engineToken?: string };

type Wanted = {
  readonly role: 'admin' | 'engine';
  readonly setting: 'OPERATOR_TOKEN' | 'ENGINE_TOKEN';
  readonly value: string | undefined;
};

type Parts = { readonly hash: KeyHash; readonly logger: Logger };

/** Locks the installation's row, so that of several starts at once one is the first and the others wait for it. */
const isFirstStart = async (db: Queryable): Promise<boolean> => {
  const { rows } = await db.query<{ tokens_at: Date | null }>('SELECT tokens_at FROM installation FOR UPDATE');
  await db.query('UPDATE installation SET tokens_at = now() WHERE tokens_at IS NULL');
  return rows[0]?.tokens_at === null;
};

const add = (db: Queryable, { hash }: Parts, { role, setting }: Wanted, token: string): Promise<number> =>
  insertRow(db, 'start', 'operator_tokens', { role, name: setting, hash: hash(token) });

/**
 * A setting must work, so a value that is not known yet is made known, on a later start too. Values of earlier starts
 * stay valid until an operator revokes them, and what was revoked stays revoked: a restart gives nothing back.
 */
const makeKnown = async (db: Queryable, parts: Parts, wanted: Wanted, token: string): Promise<void> => {
  const known = await tokenByHash(db)(parts.hash(token));
  if (!known) {
    await add(db, parts, wanted, token);
    return;
  }
  if (known.status === 'revoked') parts.logger.warn(`${wanted.setting} has been revoked: set another one`);
  else if (known.role !== wanted.role && known.role !== 'admin') {
    parts.logger.warn(`${wanted.setting} is already the token of the role ${known.role}: set another one`);
  }
};

const prepareOne = async (db: Queryable, parts: Parts, wanted: Wanted, first: boolean): Promise<string | undefined> => {
  if (wanted.value) {
    await makeKnown(db, parts, wanted, wanted.value);
    return undefined;
  }
  if (!first) return undefined;
  const token = makeSecret();
  await add(db, parts, wanted, token);
  return token;
};

/** One token for the operator and one for the engine at the first start: the settings' values, else random ones. */
export const prepareTokens = (pool: pg.Pool, parts: Parts, { operator, engine }: TokenSettings): Promise<MadeTokens> =>
  inTransaction(pool, async (db) => {
    const first = await isFirstStart(db);
    const admin: Wanted = { role: 'admin', setting: 'OPERATOR_TOKEN', value: operator };
    const operatorToken = await prepareOne(db, parts, admin, first);
    const engineToken = await prepareOne(db, parts, { role: 'engine', setting: 'ENGINE_TOKEN', value: engine }, first);
    return { ...(operatorToken && { operatorToken }), ...(engineToken && { engineToken }) };
  });
