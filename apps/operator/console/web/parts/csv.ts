import { csvLine } from '#csv';
import type { Column } from './table.tsx';

export const csvOf = <T>(columns: readonly Pick<Column<T>, 'head' | 'text'>[], rows: readonly T[]): string =>
  [columns.map(({ head }) => head), ...rows.map((row) => columns.map(({ text }) => text(row)))].map(csvLine).join('');

export const saveCsv = <T>(name: string, columns: readonly Column<T>[], rows: readonly T[]): void => {
  const url = URL.createObjectURL(new Blob([csvOf(columns, rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
};
