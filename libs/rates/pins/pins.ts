import type pg from 'pg';
import { type DecimalText, decimalText, type Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { isTooFar } from './bound.ts';

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

const rememberLast = (db: Queryable, ticker: Ticker, usd: DecimalText) =>
  db.query(
    'INSERT INTO last_pins (ticker, usd) VALUES ($1, $2) ON CONFLICT (ticker) DO UPDATE SET usd = excluded.usd',
    [ticker, usd],
  );

const lastPin = async (db: Queryable, ticker: Ticker): Promise<DecimalText | undefined> => {
  const { rows } = await db.query<Row>('SELECT ticker, usd::text AS usd FROM last_pins WHERE ticker = $1', [ticker]);
  return rows[0]?.usd == null ? undefined : decimalText(rows[0].usd);
};

export type NewPin = {
  readonly ticker: Ticker;
  /** Undefined unpins. */
  readonly usd: DecimalText | null | undefined;
  readonly actor: string;
  /** Only as far from the last known price as `isTooFar` lets; `market` is what the providers say where none is pinned. */
  readonly bounded?: { readonly market: DecimalText | 'unavailable' };
};

export type PinOutcome =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'refused'; readonly refusal: { readonly refusal: 'too_far' } };

const isWithinBound = async (
  db: Queryable,
  { ticker, usd, bounded }: NewPin,
  before: DecimalText | null | undefined,
): Promise<boolean> => {
  if (!usd || !bounded) return true;
  const market = bounded.market === 'unavailable' ? undefined : bounded.market;
  const known = before ?? market ?? (await lastPin(db, ticker));
  return known === undefined || !isTooFar(usd, known);
};

/** Of two operators at once one waits, so that what is recorded as "before" is true. Readers do not wait. */
export const writePin = (pool: pg.Pool, pin: NewPin): Promise<PinOutcome> =>
  inTransaction(pool, async (db): Promise<PinOutcome> => {
    const { ticker, usd, actor } = pin;
    await db.query('LOCK TABLE rate_pins IN SHARE ROW EXCLUSIVE MODE');
    const before = (await readPins(db)).get(ticker);
    if (before === usd) return { outcome: 'applied' };
    if (!(await isWithinBound(db, pin, before))) return { outcome: 'refused', refusal: { refusal: 'too_far' } };
    await store(db, ticker, usd);
    if (usd) await rememberLast(db, ticker, usd);
    const action = usd === undefined ? 'removed' : 'changed';
    const change = { before: recorded(before), after: recorded(usd) };
    await recordChange(db, { actor, action, subject: 'rate', subjectId: ticker, ...change });
    return { outcome: 'applied' };
  });
