import { checkChange } from './check-change.ts';
import { addDecimals } from './decimals.ts';
import type { Amounts, RowChange } from './row-change.ts';
import { keyColumns } from './row-id.ts';

/** `own`: what was taken in already, so that it need not be copied for each change. */
type Pending = { change: RowChange; own?: Record<string, unknown>; readonly wave: number };

const isWrite = (change: RowChange) => change.kind === 'insert' || change.kind === 'upsert' || change.kind === 'update';

const sum = (one: string | number, other: string | number): string | number =>
  typeof one === 'number' && typeof other === 'number' ? one + other : addDecimals(String(one), String(other));

const addAll = (amounts: { [column: string]: string | number }, more: Amounts): void => {
  for (const [column, amount] of Object.entries(more)) {
    const before = amounts[column];
    amounts[column] = before === undefined ? amount : sum(before, amount);
  }
};

/** Lets the one before do what both do one after the other, where that is one change. */
const takenIn = (prior: Pending, change: RowChange): boolean => {
  const { change: first } = prior;
  if (first.kind === 'add' && change.kind === 'add') {
    const amounts = { ...first.amounts };
    addAll(amounts, change.amounts);
    prior.change = { ...first, amounts };
    return true;
  }
  if (!isWrite(first) || !isWrite(change) || change.kind === 'insert') return false;
  if (prior.own) Object.assign(prior.own, change.values);
  else {
    const values = { ...first.values, ...change.values };
    [prior.own, prior.change] = [values, { ...first, values }];
  }
  return true;
};

/** The same text for two changes exactly when they touch the same row. */
const rowIds = () => {
  const keyOf = new Map<string, readonly string[]>();
  return (change: RowChange): string => {
    const { table, key } = change;
    const known = keyOf.get(table) ?? keyColumns(change);
    keyOf.set(table, known);
    if (Object.keys(key).length !== known.length || !known.every((column) => column in key))
      throw new TypeError(
        `table ${table} is addressed by (${known.join(', ')}) and by (${keyColumns(change).join(', ')}): a table has one key`,
      );
    return `${table} ${known.map((column) => JSON.stringify(key[column])).join()}`;
  };
};

/**
 * Changes in the order they happened → waves. All waves one after the other leave the rows as the changes one by one
 * would. Within a wave order means nothing: every row occurs once.
 */
export const openWaves = () => {
  const pending: Pending[] = [];
  const last = new Map<string, Pending>();
  const idOf = rowIds();
  return {
    take: (change: RowChange): void => {
      checkChange(change);
      const row = idOf(change);
      const prior = last.get(row);
      if (prior && takenIn(prior, change)) return;
      const next = { change, wave: prior ? prior.wave + 1 : 0 };
      pending.push(next);
      last.set(row, next);
    },
    waves: (): RowChange[][] => {
      const waves: RowChange[][] = [];
      for (const { change, wave } of pending) {
        waves[wave] ??= [];
        waves[wave].push(change);
      }
      return waves;
    },
  };
};
