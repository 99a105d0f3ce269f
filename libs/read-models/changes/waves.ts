import { checkChange } from './check-change.ts';
import type { RowChange } from './row-change.ts';
import { keyColumns, rowIdOf } from './row-id.ts';

type Pending = { change: RowChange; readonly wave: number };

const isWrite = (change: RowChange) => change.kind === 'insert' || change.kind === 'upsert' || change.kind === 'update';

/** One change that does what both do one after the other, where there is such a one. */
const merged = (first: RowChange, second: RowChange): RowChange | undefined => {
  if (!isWrite(first) || !isWrite(second) || second.kind === 'insert') return undefined;
  return { ...first, values: { ...first.values, ...second.values } };
};

const waveBehind = (prior: Pending | undefined, change: RowChange): number => {
  if (!prior) return 0;
  const bothAdd = prior.change.kind === 'add' && change.kind === 'add';
  return bothAdd ? prior.wave : prior.wave + 1;
};

const oneKeyPerTable = () => {
  const keyOf = new Map<string, string>();
  return (change: RowChange): void => {
    const columns = keyColumns(change).join(', ');
    const known = keyOf.get(change.table) ?? columns;
    keyOf.set(change.table, known);
    if (known !== columns)
      throw new TypeError(`table ${change.table} is addressed by (${known}) and by (${columns}): a table has one key`);
  };
};

/**
 * Changes in the order they happened → waves. All waves one after the other leave the rows as the changes one by one
 * would. Within a wave order means nothing: every row occurs once, or many times if all of it is adding.
 */
export const inWaves = (changes: readonly RowChange[]): RowChange[][] => {
  const pending: Pending[] = [];
  const last = new Map<string, Pending>();
  const checkKey = oneKeyPerTable();
  for (const change of changes) {
    checkChange(change);
    checkKey(change);
    const row = rowIdOf(change);
    const prior = last.get(row);
    const both = prior && merged(prior.change, change);
    if (prior && both) {
      prior.change = both;
      continue;
    }
    const next = { change, wave: waveBehind(prior, change) };
    pending.push(next);
    last.set(row, next);
  }
  const waves: RowChange[][] = [];
  for (const { change, wave } of pending) {
    waves[wave] ??= [];
    waves[wave].push(change);
  }
  return waves;
};
