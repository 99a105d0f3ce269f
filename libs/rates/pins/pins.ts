import type pg from 'pg';
import { type DecimalText, decimalText, type Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { allowedPin, type Bounds, type Last } from './bounds.ts';
import { readLastPin, writeLastPin } from './last-pin.ts';

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
  /** Only so far from what is known; left out: an admin's, which is known from then on. */
  readonly bounded?: Bounds;
};

export type PinOutcome =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'refused'; readonly refusal: { readonly refusal: 'too_far' } };

/** Whoever is not bounded confirms a rate by pinning it as it stands: from then on it is an admin's. */
const isSaid = (bounded: Bounds | undefined, usd: DecimalText | null | undefined, last: Last | undefined): boolean =>
  !usd || bounded !== undefined || (last?.isFresh === true && last.anchor.byAdmin && last.anchor.usd === usd);

/** Of two operators at once one waits, so that what is recorded as "before" is true. Readers do not wait. */
export const writePin = (pool: pg.Pool, { ticker, usd, actor, bounded }: NewPin): Promise<PinOutcome> =>
  inTransaction(pool, async (db): Promise<PinOutcome> => {
    await db.query('LOCK TABLE rate_pins IN SHARE ROW EXCLUSIVE MODE');
    const [before, last] = [(await readPins(db)).get(ticker), await readLastPin(db, ticker)];
    if (before === usd && isSaid(bounded, usd, last)) return { outcome: 'applied' };
    if (usd) {
      const allowed = allowedPin(bounded, usd, before, last);
      if (!allowed) return { outcome: 'refused', refusal: { refusal: 'too_far' } };
      await writeLastPin(db, ticker, usd, allowed.anchor);
    }
    await store(db, ticker, usd);
    const action = usd === undefined ? 'removed' : 'changed';
    const change = { before: recorded(before), after: recorded(usd) };
    await recordChange(db, { actor, action, subject: 'rate', subjectId: ticker, ...change });
    return { outcome: 'applied' };
  });
