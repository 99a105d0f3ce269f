import type { Out } from '../parts/out.ts';
import type { Row } from '../parts/table.ts';
import type { Named } from './names.ts';

const SHOWN_ONCE = ['key', 'token', 'access_token', 'refresh_token', 'webhook_secret'];

const listIn = (answer: Row): readonly [name: string, rows: readonly Row[]] | undefined => {
  const found = Object.entries(answer).find(([, value]) => Array.isArray(value) && Object.keys(answer).length <= 4);
  return found && [found[0], found[1] as readonly Row[]];
};

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** Told beside the list, as a table of its own. */
const isListed = (one: readonly [string, unknown]): one is [string, readonly Row[]] =>
  Array.isArray(one[1]) && one[1].every(isRow);

const celled = (row: Row, cells: NonNullable<Named['cells']>): Row => ({
  ...row,
  ...Object.fromEntries(Object.entries(cells).map(([name, told]) => [name, told(row[name])])),
});

const showList = (out: Out, answer: Row, name: string, rows: readonly Row[], { columns, cells = {} }: Named) => {
  const { next_cursor: cursor, [name]: _, ...beside } = answer;
  const fields = columns ?? Object.keys(Object.assign({}, ...rows.toReversed()));
  if (rows.length > 0)
    out.table(
      rows.map((row) => celled(row, cells)),
      fields,
    );
  else out.note('none');
  const [more, plain] = [
    Object.entries(beside).filter(isListed),
    Object.entries(beside).filter((one) => !isListed(one)),
  ];
  for (const [, [first, ...others]] of more) if (first) out.table([first, ...others], Object.keys(first));
  if (plain.length > 0) out.fields(Object.fromEntries(plain));
  if (cursor) out.note(`more: --cursor ${cursor}, or --all`);
};

/** A list as a table, one thing as its fields; programs get what the service answered. */
export const showAnswer = (out: Out, answer: unknown, named: Named): void =>
  out.answer(answer === '' ? null : answer, () => {
    if (!isRow(answer)) return out.note('done');
    const list = listIn(answer);
    if (list?.[1].every(isRow)) showList(out, answer, ...list, named);
    else out.fields(answer);
    if (SHOWN_ONCE.some((name) => typeof answer[name] === 'string'))
      out.note('This secret is shown this once: keep it where nobody else can read it.');
  });
