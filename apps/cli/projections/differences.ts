import type { Out } from '../parts/out.ts';
import type { Row } from '../parts/table.ts';

export type Differences = {
  readonly at: string;
  readonly tables: readonly { table: string; missing: number; extra: number; changed: number }[];
  readonly rows: readonly { table: string; kind: string; key: Row; fields: Readonly<Record<string, Row>> }[];
};

const inWords = (fields: Readonly<Record<string, Row>>): string =>
  Object.entries(fields)
    .map(([name, { live, rebuilt }]) => `${name}: ${live ?? '-'} -> ${rebuilt ?? '-'}`)
    .join(', ');

export const countOf = ({ tables }: Differences): number =>
  tables.reduce((sum, { missing, extra, changed }) => sum + missing + extra + changed, 0);

/** What is missing from the live rows, is there too much, or differs: live -> rebuilt. */
export const showDifferences = (out: Out, found: Differences): void =>
  out.answer(found, () => {
    out.table(found.tables, ['table', 'missing', 'extra', 'changed']);
    for (const { table, kind, key, fields } of found.rows) {
      const row = Object.entries(key).map(([name, value]) => `${name} ${value}`);
      out.line(`${table} ${row.join(', ')} ${kind}: ${inWords(fields)}`);
    }
    if (countOf(found) > found.rows.length) out.note(`the first ${found.rows.length} of ${countOf(found)} differences`);
  });
