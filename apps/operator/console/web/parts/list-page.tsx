import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { reasonOf, withQuery } from '../calls.ts';
import { go } from '../router.ts';
import { saveCsv } from './csv.ts';
import { answered, useLoad } from './load.ts';
import { Page } from './page.tsx';
import { type Column, Table } from './table.tsx';
import { timeText } from './time.tsx';

export type Filter = { readonly name: string; readonly label: string; readonly words?: readonly string[] };

export type ListSpec<T> = {
  readonly title: string;
  /** The page within the console, and the operators' route with the name of its list. */
  readonly page: string;
  readonly route: string;
  readonly items: string;
  readonly filters: readonly Filter[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string | number;
  /** Filters without which the route says nothing. */
  readonly needs?: string;
  /** What changes without an event of the log is asked for again, in milliseconds. */
  readonly every?: number;
};

export type Query = Readonly<Record<string, string>>;
type Answer<T> = { readonly [items: string]: readonly T[] | string | null | undefined };

/** A file of more would be nobody's to read. It comes in the largest pages that every list has. */
const [MOST_ROWS, ROWS_AT_ONCE] = [10_000, '100'];

const rowsIn = <T,>(answer: Answer<T> | undefined, items: string): readonly T[] => {
  const rows = answer?.[items];
  return Array.isArray(rows) ? (rows as readonly T[]) : [];
};

const cursorIn = <T,>({ next_cursor }: Answer<T>): string | undefined =>
  next_cursor === null || next_cursor === undefined ? undefined : String(next_cursor);

/** `asOf`: where the read model stands still, how old they are. */
const loadAll = async <T,>({ route, items }: ListSpec<T>, query: Query) => {
  const rows: T[] = [];
  let cursor: string | undefined;
  let asOf: Date | undefined;
  do {
    const { data, at, problem } = await answered<Answer<T>>(
      withQuery(route, { ...query, cursor, limit: ROWS_AT_ONCE }),
    );
    if (problem !== undefined) asOf ??= at;
    rows.push(...rowsIn(data, items));
    cursor = cursorIn(data);
  } while (cursor !== undefined && rows.length < MOST_ROWS);
  return { rows, asOf };
};

const FilterField = ({ filter: { name, label, words } }: { filter: Filter }) => (
  <div>
    <label for={`filter-${name}`}>{label}</label>
    {words ? (
      <select id={`filter-${name}`} name={name}>
        <option value="">any</option>
        {words.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    ) : (
      <input id={`filter-${name}`} name={name} autocomplete="off" spellcheck={false} />
    )}
  </div>
);

const Filters = ({ filters, query, page }: { filters: readonly Filter[]; query: Query; page: string }) => {
  const form = useRef<HTMLFormElement>(null);
  // The way back changes what was asked for: the fields follow, and the focus stays where it is.
  useLayoutEffect(() => {
    for (const { name } of filters) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = query[name] ?? '';
    }
  }, [JSON.stringify(query)]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget as HTMLFormElement);
    go(withQuery(page, Object.fromEntries([...sent].map(([name, value]) => [name, String(value).trim()]))));
  };
  return (
    <search>
      <form class="filters" ref={form} onSubmit={submit}>
        {filters.map((filter) => (
          <FilterField key={filter.name} filter={filter} />
        ))}
        <button type="submit">Filter</button>
      </form>
    </search>
  );
};

const Csv = <T,>({ spec, query }: { spec: ListSpec<T>; query: Query }) => {
  const [state, setState] = useState('');
  const save = async (): Promise<void> => {
    setState('Collecting…');
    try {
      const { rows, asOf } = await loadAll(spec, query);
      saveCsv(`${spec.page.slice(1)}.csv`, spec.columns, rows);
      const cut = rows.length >= MOST_ROWS ? ', the rest is left out' : '';
      setState(`${rows.length} rows${cut}${asOf ? `, as of ${timeText(asOf.toISOString())}` : ''}`);
    } catch (error) {
      setState(reasonOf(error));
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        Save as CSV
      </button>
      <span role="status">{state}</span>
    </>
  );
};

type ListPageProps<T> = {
  readonly spec: ListSpec<T>;
  readonly query: Query;
  readonly acts?: ComponentChildren;
  /** Of one row; what it has done is seen at once. */
  readonly rowActs?: (row: T, onDone: () => void) => ComponentChildren;
};

/** A list with its filters in the address, page by page. */
export const ListPage = <T,>({ spec, query, acts, rowActs }: ListPageProps<T>) => {
  const { title, page, route, items, filters, columns, keyOf, needs, every } = spec;
  const { cursor, ...asked } = query;
  const isAsked = needs === undefined || asked[needs] !== undefined;
  const loaded = useLoad<Answer<T>>(isAsked ? withQuery(route, query) : undefined, {
    live: cursor === undefined,
    ...(every !== undefined && cursor === undefined && { every }),
  });
  const next = loaded.data && cursorIn(loaded.data);
  const rows = rowsIn<T>(loaded.data, items);
  const shown: readonly Column<T>[] = rowActs
    ? [...columns, { head: 'Act', text: () => '', cell: (row) => rowActs(row, loaded.reload) }]
    : columns;
  useEffect(() => {
    if (loaded.data) scrollTo({ top: 0 });
  }, [cursor]);
  return (
    <Page title={title} {...(isAsked && { loaded })}>
      {filters.length > 0 && <Filters filters={filters} query={asked} page={page} />}
      {acts}
      {!isAsked && <p>Say which first: fill in “{filters.find(({ name }) => name === needs)?.label}”.</p>}
      {loaded.data && (
        <>
          <Table caption={`${rows.length} on this page`} columns={shown} rows={rows} keyOf={keyOf} />
          <div class="buttons">
            {cursor !== undefined && (
              <button type="button" onClick={() => history.back()}>
                Back
              </button>
            )}
            {next !== undefined && (
              <button type="button" onClick={() => go(withQuery(page, { ...asked, cursor: next }))}>
                More
              </button>
            )}
            <Csv spec={spec} query={asked} />
          </div>
        </>
      )}
    </Page>
  );
};
