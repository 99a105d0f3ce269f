import { type Ticker, tickers } from '#money';
import type { Queryable } from '#platform/postgres';
import { deriverOf } from '../derivation/derive.ts';

export type ExtendedKeyRow = {
  readonly ticker: Ticker;
  readonly xpub: string;
  readonly origin: 'first start' | 'operator';
  readonly note: string | null;
  readonly nextIndex: number;
  /** The address at 0/0, to be held against what the wallet shows. */
  readonly firstAddress: string;
};

type Row = Omit<ExtendedKeyRow, 'firstAddress'>;

/** The keys that addresses are derived from now. They are public: nothing can be spent with them. */
export const activeKeys = async (db: Queryable): Promise<readonly ExtendedKeyRow[]> => {
  const { rows } = await db.query<Row>(
    `SELECT currency AS ticker, xpub, origin, note, next_index AS "nextIndex"
     FROM derivation_keys WHERE active ORDER BY array_position($1::text[], currency)`,
    [tickers],
  );
  return rows.map((row) => ({ ...row, firstAddress: deriverOf(row.ticker, row.xpub)(0) }));
};
