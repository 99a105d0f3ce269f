import { checkChange } from './check-change.ts';
import { addDecimals } from './decimals.ts';
import type { Amounts, RowChange } from './row-change.ts';
import { keyColumns, rowIdOf } from './row-id.ts';

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
 * would. Within a wave order means nothing: every row occurs once.
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
    if (prior && takenIn(prior, change)) continue;
    const next = { change, wave: prior ? prior.wave + 1 : 0 };
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
