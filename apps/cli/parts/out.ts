import { jsonSafely, shownSafely } from '#platform/shown-text';
import { fieldsOf, type Row, tableOf } from './table.ts';
import { bold, widthOf } from './terminal.ts';

/** Data goes to stdout, everything else to stderr, so that the one can be piped while the other is read. */
export type Out = {
  readonly json: boolean;
  /** The answer of the command, once: as it is for programs, by `people` for people, when that is something else. */
  readonly answer: (value: unknown, people?: () => void) => void;
  /** A line of an answer that has no end in sight: for programs a JSON value a line. */
  readonly row: (value: unknown, people: () => string) => void;
  readonly line: (text: string) => void;
  readonly table: (rows: readonly Row[], fields: readonly string[]) => void;
  readonly fields: (thing: Row) => void;
  /** For whoever watches, never for a pipe. */
  readonly note: (text: string) => void;
};

export const openOut = (json: boolean): Out => {
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  const note = (text: string): void => void process.stderr.write(`${shownSafely(text)}\n`);
  return {
    json,
    answer: (value, people) => (json || !people ? line(jsonSafely(JSON.stringify(value, null, 2))) : people()),
    row: (value, people) => line(json ? jsonSafely(JSON.stringify(value)) : shownSafely(people())),
    line: (text) => line(shownSafely(text)),
    note,
    table: (rows, fields) => {
      const { head, lines, left } = tableOf(rows, fields, widthOf(process.stdout));
      line(bold(shownSafely(head), process.stdout));
      for (const each of lines) line(shownSafely(each));
      if (left > 0) note(`${left} more ${left === 1 ? 'field' : 'fields'} with --json`);
    },
    fields: (thing) => {
      for (const each of fieldsOf(thing)) line(shownSafely(each));
    },
  };
};
