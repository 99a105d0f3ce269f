import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { together } from '#platform/together';
import { DEPOSIT_TEXT, IS_SHORTEST } from './queries/deposit-text.ts';
import type { ShownTexts } from './queries/list.ts';
import { asStringified } from './queries/wire-number.ts';

export type KnownDeposit = {
  /** The Deposit object as JSON, as it is sent. */
  readonly text: string;
  readonly affiliateId: number;
  readonly entityId: number;
  /** Of the last event that the text shows. */
  readonly revision: number;
};

/** Whether it is one of theirs; for others there is none. */
export type MaySee = (owners: Pick<KnownDeposit, 'affiliateId' | 'entityId'>) => boolean;

export type Row = Omit<KnownDeposit, 'text'> & { readonly id: number; readonly text: string | null };

/** The texts that were sent lately: one that is asked for in the same revision again is not made again. */
export type Shown = {
  readonly get: (depositId: number) => KnownDeposit | undefined;
  readonly remember: (depositId: number, known: KnownDeposit) => void;
  readonly rowOf: (depositId: number) => Promise<Row | undefined>;
  readonly texts: ShownTexts;
};

/** A text, some 1.5 kB, is forgotten after a while, in which another release may have made the rows anew. */
const REMEMBERED = { max: 2_500, ttl: 60_000 };

const ROWS = `
  SELECT id, affiliate_id AS "affiliateId", entity_id AS "entityId", revision, ${DEPOSIT_TEXT} AS text,
    ${IS_SHORTEST} AS "isShortest"
  FROM deposits WHERE id = ANY ($1::bigint[])`;

type AsMade = Row & { readonly isShortest: boolean };

const asSent = ({ isShortest, text, revision, ...row }: AsMade): Row => ({
  ...row,
  revision: Number(revision),
  text: text === null ? null : asStringified(text, isShortest),
});

const rowsById = (pool: pg.Pool) =>
  together<number, Row | undefined>(
    async (ids) => {
      const { rows } = await pool.query<AsMade>({ name: 'deposits_by_id', text: ROWS, values: [ids] });
      const byId = new Map(rows.map((row) => [Number(row.id), asSent(row)]));
      return ids.map((id) => byId.get(id));
    },
    { lanes: 2 },
  );

export const createShown = (pool: pg.Pool): Shown => {
  const known = new LRUCache<number, KnownDeposit>(REMEMBERED);
  const rowOf = rowsById(pool);

  const textIn = async (id: number, revision: number): Promise<string | undefined> => {
    const before = known.get(id);
    if (before?.revision === revision) return before.text;
    const row = await rowOf(id);
    if (!row || row.text === null || row.revision !== revision) return undefined;
    known.set(id, { ...row, text: row.text });
    return row.text;
  };

  return {
    get: (id) => known.get(id),
    remember: (id, deposit) => {
      known.set(id, deposit);
    },
    rowOf,
    texts: async (page) => {
      const texts = await Promise.all(page.map(({ id, revision }) => textIn(id, revision)));
      const there = texts.filter((text) => text !== undefined);
      return there.length === texts.length ? there : undefined;
    },
  };
};
