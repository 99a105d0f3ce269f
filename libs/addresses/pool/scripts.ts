import type pg from 'pg';
import { type Ticker, tickers } from '#money';
import type { Queryable } from '#platform/postgres';
import { scriptOf } from '../derivation/script-of.ts';
import type { AddressOwner } from './owner-of.ts';

/** As it is kept: empty for what nothing can be paid to. */
export const keptScript = (currency: Ticker, address: string): string => scriptOf(currency, address) ?? '';

/** No address of the currency `$1` is there under another spelling: what is paid by one script goes out once. */
export const NOBODY_IS_PAID_BY = (script: string): string =>
  `NOT EXISTS (SELECT FROM pool_addresses p WHERE p.currency = $1 AND p.script = ${script} AND p.script <> '')`;

const AT_ONCE = 2_000;

type Bare = { readonly id: number; readonly currency: Ticker; readonly address: string };

const BARE = 'SELECT id, currency, address FROM pool_addresses WHERE script IS NULL ORDER BY id LIMIT $1';

const RECORD = `
  UPDATE pool_addresses p SET script = t.script FROM unnest($1::bigint[], $2::text[]) AS t (id, script) WHERE p.id = t.id`;

const known = new Set<string>(tickers);

/** Addresses of before there were scripts, or of an instance that knows none yet, get theirs. */
export const recordScripts = async (pool: pg.Pool, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    const { rows } = await pool.query<Bare>(BARE, [AT_ONCE]);
    if (rows.length === 0) return;
    const scripts = rows.map(({ currency, address }) => (known.has(currency) ? keptScript(currency, address) : ''));
    await pool.query(RECORD, [rows.map(({ id }) => id), scripts]);
  }
};

/** An address that was given out, as whoever looks for payments finds it. */
export type PaidAddress = { readonly script: string; readonly address: string; readonly owner: AddressOwner };

type Row = {
  readonly script: string;
  readonly address: string;
  readonly depositId: number | null;
  readonly transactionId: number | null;
};

/** Asked by the scripts of a whole block at once, and of nothing that is remembered: a fresh address cannot be missed. */
const OWNERS = `
  SELECT script, address, deposit_id AS "depositId", transaction_id AS "transactionId" FROM pool_addresses
  WHERE script = ANY ($2::text[]) AND script <> '' AND currency = $1 AND taken_at IS NOT NULL`;

const ownerOf = ({ depositId, transactionId }: Row): AddressOwner | undefined => {
  if (depositId !== null) return { depositId };
  return transactionId === null ? undefined : { transactionId };
};

export const ownersOfScripts = async (
  db: Queryable,
  currency: Ticker,
  scripts: readonly string[],
): Promise<ReadonlyMap<string, PaidAddress>> => {
  const wanted = [...new Set(scripts)].filter((script) => script !== '');
  if (wanted.length === 0) return new Map();
  const { rows } = await db.query<Row>({ name: 'owners_of_scripts', text: OWNERS, values: [currency, wanted] });
  return new Map(
    rows.flatMap((row): [string, PaidAddress][] => {
      const owner = ownerOf(row);
      return owner ? [[row.script, { script: row.script, address: row.address, owner }]] : [];
    }),
  );
};
