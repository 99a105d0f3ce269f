import { shownSafely } from '#platform/shown-text';

export type Row = Readonly<Record<string, unknown>>;

export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  return shownSafely(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

const asLine = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, nth) => cell.padEnd(widths[nth] ?? 0))
    .join('  ')
    .trimEnd();

/** As many of the columns as fit into the width, and always the first. */
const fitting = (columns: readonly (readonly string[])[], width: number): (readonly string[])[] => {
  let left = width + 2;
  return columns.filter((cells, nth) => {
    left -= Math.max(...cells.map((cell) => cell.length)) + 2;
    return nth === 0 || left >= 0;
  });
};

/** Rows under the names of their fields; `left` counts the fields that found no place. */
export const tableOf = (
  rows: readonly Row[],
  fields: readonly string[],
  width: number,
): { readonly head: string; readonly lines: readonly string[]; readonly left: number } => {
  const columns = fitting(
    fields.map((field) => [field.toUpperCase().replaceAll('_', ' '), ...rows.map((row) => cellOf(row[field]))]),
    width,
  );
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const [head = '', ...lines] = Array.from({ length: rows.length + 1 }, (_, nth) =>
    asLine(
      columns.map((cells) => cells[nth] ?? ''),
      widths,
    ),
  );
  return { head, lines, left: fields.length - columns.length };
};

/** One thing, a field a line; what lies inside of it is indented. */
export const fieldsOf = (thing: Row, indent = ''): string[] => {
  const names = Object.keys(thing);
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.flatMap((name) => {
    const value = thing[name];
    const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
    if (inner && Object.keys(inner).length > 0) return [`${indent}${name}`, ...fieldsOf(inner, `${indent}  `)];
    return [`${indent}${name.padEnd(width)}  ${cellOf(value)}`];
  });
};
