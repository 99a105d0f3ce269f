import type pg from 'pg';
import { isTicker, type Ticker, tickers } from '#money';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { remember } from '#platform/remembered';

type Switches = ReadonlyMap<string, boolean>;

type Row = { readonly ticker: string; readonly enabled: boolean };

const readSwitches = async (db: Queryable): Promise<Switches> => {
  const { rows } = await db.query<Row>({
    name: 'currency_switches',
    text: 'SELECT ticker, enabled FROM currency_switches',
  });
  return new Map(rows.map(({ ticker, enabled }) => [ticker, enabled]));
};

/** Of two operators at once one waits, so that what is recorded as "before" is true. Readers do not wait. */
const takeTurn = (db: Queryable) => db.query('LOCK TABLE currency_switches IN SHARE ROW EXCLUSIVE MODE');

const writeSwitch = (pool: pg.Pool, ticker: Ticker, enabled: boolean, actor: string): Promise<void> =>
  inTransaction(pool, async (db) => {
    await takeTurn(db);
    const before = (await readSwitches(db)).get(ticker) ?? true;
    if (before === enabled) return;
    await db.query(
      `INSERT INTO currency_switches (ticker, enabled) VALUES ($1, $2)
       ON CONFLICT (ticker) DO UPDATE SET enabled = excluded.enabled, changed_at = now()`,
      [ticker, enabled],
    );
    await recordChange(db, {
      actor,
      action: 'changed',
      subject: 'currency',
      subjectId: ticker,
      before: { enabled: before },
      after: { enabled },
    });
  });

export type CurrencySwitch = { readonly ticker: Ticker; readonly enabled: boolean };

export type Currencies = {
  /** Remembered: a change of another instance is in force within a second. An unknown ticker is never enabled. */
  readonly isEnabled: (ticker: string) => Promise<boolean>;
  readonly setEnabled: (ticker: Ticker, enabled: boolean, actor: string) => Promise<void>;
  readonly list: () => Promise<readonly CurrencySwitch[]>;
};

export const openCurrencies = ({ pool }: { readonly pool: pg.Pool }): Currencies => {
  const switches = remember(() => readSwitches(pool));
  return {
    isEnabled: async (ticker) => isTicker(ticker) && ((await switches.get()).get(ticker) ?? true),
    setEnabled: async (ticker, enabled, actor) => {
      await writeSwitch(pool, ticker, enabled, actor);
      switches.forget();
    },
    list: async () => {
      const known = await readSwitches(pool);
      return tickers.map((ticker) => ({ ticker, enabled: known.get(ticker) ?? true }));
    },
  };
};
