import type { RecordedEvent } from '#event-log';
import { addDecimals } from '../changes/decimals.ts';
import type { Columns, RowChange } from '../changes/row-change.ts';
import type { TabledProjection } from '../rebuild/rebuild.ts';

/** A row as history makes it: the columns that its projection writes. */
export type FoldedRow = { readonly table: string; readonly key: Columns; readonly values: Columns };

type Row = { readonly table: string; readonly key: Columns; values: { [column: string]: Columns[string] } };

/** Values of a key are written in the same order by all who name a row of a table. */
const idOf = ({ table, key }: Pick<RowChange, 'table' | 'key'>): string => {
  let id = table;
  for (const column in key) id += ` ${key[column]}`;
  return id;
};

const takesType = ({ projection: { filter } }: TabledProjection, type: string): boolean =>
  filter === undefined || !('types' in filter) || filter.types.includes(type);

const takesStream = ({ projection: { filter } }: TabledProjection, stream: string): boolean =>
  filter === undefined || 'types' in filter || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));

/** Events come stream by stream, so who follows one is asked once for all of its events. */
const followersOf = (projections: readonly TabledProjection[]) => {
  let known: { readonly stream: string; readonly by: readonly TabledProjection[] } | undefined;
  return (stream: string): readonly TabledProjection[] => {
    if (known?.stream !== stream) known = { stream, by: projections.filter((each) => takesStream(each, stream)) };
    return known.by;
  };
};

/** Rows of one stream's events, and totals over all that were taken. */
export type RowFold = {
  readonly take: (event: RecordedEvent) => void;
  /** Whether any projection looks at events of this kind. */
  readonly concerns: (place: Pick<RecordedEvent, 'stream' | 'type'>) => boolean;
  /** Of the events since the last call: those of one stream. */
  readonly rows: () => readonly FoldedRow[];
  readonly totals: () => readonly FoldedRow[];
};

/** What the projections make of history, without a database: a row belongs to one stream, a total to none. */
export const createRowFold = (projections: readonly TabledProjection[]): RowFold => {
  let rows = new Map<string, Row>();
  const totals = new Map<string, Row>();
  const followers = followersOf(projections);

  const add = (change: RowChange & { kind: 'add' }): void => {
    const known = totals.get(idOf(change)) ?? { table: change.table, key: change.key, values: {} };
    for (const [column, amount] of Object.entries(change.amounts))
      known.values[column] = addDecimals(String(known.values[column] ?? '0'), String(amount));
    totals.set(idOf(change), known);
  };

  const apply = (change: RowChange): void => {
    const id = idOf(change);
    const known = rows.get(id);
    if (change.kind === 'add') add(change);
    else if (change.kind === 'delete') rows.delete(id);
    else if (known) Object.assign(known.values, change.values);
    else rows.set(id, { table: change.table, key: change.key, values: { ...change.values } });
  };

  return {
    concerns: ({ stream, type }) => followers(stream).some((each) => takesType(each, type)),
    take: (event) => {
      for (const each of followers(event.stream))
        if (takesType(each, event.type)) for (const change of each.projection.project(event)) apply(change);
    },
    rows: () => {
      const folded = [...rows.values()];
      rows = new Map();
      return folded;
    },
    totals: () => [...totals.values()],
  };
};
