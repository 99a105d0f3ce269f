import type pg from 'pg';
import { amount, type DecimalText, decimalText, type Ticker } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';

const FURTHEST = '0.2';

/** A wrong price turns money elsewhere as surely as a wrong address: how far one may be pinned from the known one. */
const isTooFar = (usd: DecimalText, known: DecimalText): boolean =>
  amount(usd).minus(amount(known)).abs().greaterThan(amount(known).times(FURTHEST));

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

type Anchor = { readonly usd: DecimalText; readonly isNew: boolean };

const rememberLast = (db: Queryable, ticker: Ticker, usd: DecimalText, { usd: anchor, isNew }: Anchor) =>
  db.query(
    `INSERT INTO last_pins AS last (ticker, usd, anchor) VALUES ($1, $2, $3)
     ON CONFLICT (ticker) DO UPDATE SET usd = excluded.usd, anchor = excluded.anchor,
       anchored_at = CASE WHEN $4 THEN now() ELSE last.anchored_at END`,
    [ticker, usd, anchor, isNew],
  );

type Last = { readonly usd: DecimalText; readonly anchor: DecimalText | undefined };

/** The anchor only while it holds: for a day. */
const lastPin = async (db: Queryable, ticker: Ticker): Promise<Last | undefined> => {
  const { rows } = await db.query<{ readonly usd: string; readonly anchor: string | null }>(
    `SELECT usd::text, (CASE WHEN anchored_at > now() - interval '1 day' THEN anchor END)::text AS anchor
     FROM last_pins WHERE ticker = $1`,
    [ticker],
  );
  const [last] = rows;
  return last && { usd: decimalText(last.usd), anchor: last.anchor === null ? undefined : decimalText(last.anchor) };
};

type Bounds = {
  readonly hasProviders: boolean;
  /** What they say; undefined: nothing. */
  readonly market: DecimalText | undefined;
};

/** Whoever pins "unavailable" makes their price not unknown: only one that was pinned within the day goes before it. */
const marketFor = ({ market }: Bounds, before: DecimalText | null | undefined, last: Last | undefined) =>
  before === undefined || (before === null && last?.anchor === undefined) ? market : undefined;

/** While there are providers that say nothing, what was pinned more than a day ago is not known any more. */
const lastKnown = ({ hasProviders }: Bounds, last: Last | undefined, usd: DecimalText): DecimalText | undefined =>
  hasProviders && last?.anchor === undefined ? undefined : (last?.usd ?? usd);

export type NewPin = {
  readonly ticker: Ticker;
  /** Undefined unpins. */
  readonly usd: DecimalText | null | undefined;
  readonly actor: string;
  /** Only as far from what is known as `isTooFar` lets. */
  readonly bounded?: Bounds;
};

export type PinOutcome =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'refused'; readonly refusal: { readonly refusal: 'too_far' } };

/**
 * Where a pin is counted from for a day, so that many small steps lead no further than one; undefined where the pin is
 * too far from there or from the last known price.
 */
const anchorOf = async (
  db: Queryable,
  { ticker, bounded }: NewPin,
  usd: DecimalText,
  before: DecimalText | null | undefined,
): Promise<Anchor | undefined> => {
  if (!bounded) return { usd, isNew: true };
  const last = await lastPin(db, ticker);
  const market = marketFor(bounded, before, last);
  const known = before ?? market ?? lastKnown(bounded, last, usd);
  const anchor = market ?? last?.anchor;
  const tooFar = known === undefined || isTooFar(usd, known) || isTooFar(usd, anchor ?? known);
  return tooFar ? undefined : { usd: anchor ?? known, isNew: anchor === undefined || anchor === market };
};

/** Of two operators at once one waits, so that what is recorded as "before" is true. Readers do not wait. */
export const writePin = (pool: pg.Pool, pin: NewPin): Promise<PinOutcome> =>
  inTransaction(pool, async (db): Promise<PinOutcome> => {
    const { ticker, usd, actor } = pin;
    await db.query('LOCK TABLE rate_pins IN SHARE ROW EXCLUSIVE MODE');
    const before = (await readPins(db)).get(ticker);
    if (before === usd) return { outcome: 'applied' };
    const anchor = usd && (await anchorOf(db, pin, usd, before));
    if (usd && !anchor) return { outcome: 'refused', refusal: { refusal: 'too_far' } };
    await store(db, ticker, usd);
    if (usd && anchor) await rememberLast(db, ticker, usd, anchor);
    const action = usd === undefined ? 'removed' : 'changed';
    const change = { before: recorded(before), after: recorded(usd) };
    await recordChange(db, { actor, action, subject: 'rate', subjectId: ticker, ...change });
    return { outcome: 'applied' };
  });
