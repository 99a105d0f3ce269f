import type { ComponentChildren } from 'preact';

export type Column<T> = {
  readonly head: string;
  /** What stands in it, also in a file of all rows. */
  readonly text: (row: T) => string;
  readonly cell?: (row: T) => ComponentChildren;
  readonly numeric?: boolean;
};

type TableProps<T> = {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  readonly none?: string;
};

/** Of a status, say: such words are not broken, as hashes and addresses are. */
const isWords = (text: string): boolean => text.split(' ').every((word) => /^[A-Za-z_:]{1,20}$/.test(word));

const classOf = (text: string, isNumeric: boolean): string => {
  if (isNumeric) return 'numeric';
  return isWords(text) ? 'words' : '';
};

/** Where it is narrow each row stands for itself, with the heads beside its cells. */
export const Table = <T,>({ caption, columns, rows, keyOf, none = 'Nothing here.' }: TableProps<T>) =>
  rows.length === 0 ? (
    <p>{none}</p>
  ) : (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, numeric = false }) => (
            <th key={head} scope="col" class={numeric ? 'numeric' : ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, text, cell, numeric = false }) => (
              <td key={head} data-head={head} class={classOf(text(row), numeric)}>
                {cell ? cell(row) : text(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
