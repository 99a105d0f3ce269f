import { type DecimalText, decimalText, type Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { Anchor, Last } from './bounds.ts';

type Row = {
  readonly usd: string;
  readonly anchor: string;
  readonly by_admin: boolean;
  readonly is_fresh: boolean;
};

export const readLastPin = async (db: Queryable, ticker: Ticker): Promise<Last | undefined> => {
  const { rows } = await db.query<Row>(
    `SELECT usd::text, coalesce(anchor, usd)::text AS anchor, anchor_by_admin AS by_admin,
       anchor IS NOT NULL AND anchored_at > now() - interval '1 day' AS is_fresh
     FROM last_pins WHERE ticker = $1`,
    [ticker],
  );
  const [last] = rows;
  if (!last) return undefined;
  const anchor = { usd: decimalText(last.anchor), byAdmin: last.by_admin };
  return { usd: decimalText(last.usd), anchor, isFresh: last.is_fresh };
};

/** Without an anchor the one that is stays. */
export const writeLastPin = (db: Queryable, ticker: Ticker, usd: DecimalText, anchor: Anchor | undefined) =>
  anchor
    ? db.query(
        `INSERT INTO last_pins (ticker, usd, anchor, anchor_by_admin) VALUES ($1, $2, $3, $4)
         ON CONFLICT (ticker) DO UPDATE SET usd = excluded.usd, anchor = excluded.anchor,
           anchor_by_admin = excluded.anchor_by_admin, anchored_at = now()`,
        [ticker, usd, anchor.usd, anchor.byAdmin],
      )
    : db.query('UPDATE last_pins SET usd = $2, anchor = coalesce(anchor, usd) WHERE ticker = $1', [ticker, usd]);
