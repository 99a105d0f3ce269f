import type pg from 'pg';
import { type DecimalText, decimalText, type Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';

/** What operators pinned; null pins "unavailable". */
export type Pins = ReadonlyMap<string, DecimalText | null>;

type Row = { readonly ticker: string; readonly usd: string | null };

export const readPins = async (db: Queryable): Promise<Pins> => {
  const { rows } = await db.query<Row>({ name: 'rate_pins', text: 'SELECT ticker, usd::text AS usd FROM rate_pins' });
  return new Map(rows.map(({ ticker, usd }) => [ticker, usd === null ? null : decimalText(usd)]));
};

const store = (db: Queryable, ticker: Ticker, usd: DecimalText | null | undefined) =>
  usd === undefined
    ? db.query('DELETE FROM rate_pins WHERE ticker = $1', [ticker])
    : db.query(
        `INSERT INTO rate_pins (ticker, usd) VALUES ($1, $2)
         ON CONFLICT (ticker) DO UPDATE SET usd = excluded.usd, pinned_at = now()`,
        [ticker, usd],
      );

const recorded = (usd: DecimalText | null | undefined) => (usd === undefined ? null : { usd });

export type NewPin = {
  readonly ticker: Ticker;
  /** Undefined unpins. */
  readonly usd: DecimalText | null | undefined;
  readonly actor: string;
};

/** Of two operators at once one waits, so that what is recorded as "before" is true. Readers do not wait. */
export const writePin = (pool: pg.Pool, { ticker, usd, actor }: NewPin): Promise<void> =>
  inTransaction(pool, async (db) => {
    await db.query('LOCK TABLE rate_pins IN SHARE ROW EXCLUSIVE MODE');
    const before = (await readPins(db)).get(ticker);
    if (before === usd) return;
    await store(db, ticker, usd);
    const action = usd === undefined ? 'removed' : 'changed';
    const change = { before: recorded(before), after: recorded(usd) };
    await recordChange(db, { actor, action, subject: 'rate', subjectId: ticker, ...change });
  });
