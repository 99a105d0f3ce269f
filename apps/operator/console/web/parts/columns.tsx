import { linkTo } from '../router.ts';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

export const timeColumn = <T,>(head: string, at: (row: T) => string | null | undefined): Column<T> => ({
  head,
  text: (row) => at(row) ?? '',
  cell: (row) => <Time at={at(row)} />,
});

/** It leads to the page of what it names. */
export const linkColumn = <T,>(head: string, page: string, id: (row: T) => string | number): Column<T> => ({
  head,
  text: (row) => String(id(row)),
  cell: (row) => <a href={linkTo(`${page}/${id(row)}`)}>{id(row)}</a>,
});
