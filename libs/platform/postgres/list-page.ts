import type { Queryable } from './transaction.ts';

export type Page = { readonly limit?: number | undefined; readonly cursor?: number | undefined };

export type Paged<Item> = { readonly items: readonly Item[]; readonly next_cursor: string | null };

type Listing<Row, Item> = Page & {
  /** Selects the key of the list as `id`, a number that rises with every new row. */
  readonly select: string;
  /** The column behind `id`. */
  readonly key: string;
  /** What holds for every row of the list. */
  readonly only?: string | undefined;
  /** Column and value that must be equal, or a column with `>=` or `<=`; undefined asks for nothing. */
  readonly where?: Readonly<Record<string, string | number | undefined>>;
  readonly order?: 'oldest first' | 'newest first';
  readonly item: (row: Row) => Item;
};

const LIMIT = 100;

/** A page by keyset: what is added or removed meanwhile shifts nothing. */
export const listPage = async <Row extends { readonly id: number }, Item>(
  db: Queryable,
  listing: Listing<Row, Item>,
): Promise<Paged<Item>> => {
  const { select, key, only = 'true', where = {}, order = 'oldest first', item, limit = LIMIT, cursor } = listing;
  const [compare, direction] = order === 'oldest first' ? ['>', 'ASC'] : ['<', 'DESC'];
  const filters = Object.entries(where).filter(([, value]) => value !== undefined);
  const conditions = filters.map(
    ([column], index) => `${/[<>]=$/.test(column) ? column : `${column} =`} $${index + 3}`,
  );
  const { rows } = await db.query<Row>(
    `${select} WHERE ${[only, `($1::bigint IS NULL OR ${key} ${compare} $1)`, ...conditions].join(' AND ')}
     ORDER BY ${key} ${direction} LIMIT $2`,
    [cursor ?? null, limit + 1, ...filters.map(([, value]) => value)],
  );
  const shown = rows.slice(0, limit);
  return { items: shown.map(item), next_cursor: rows.length > limit ? String(shown.at(-1)?.id) : null };
};
