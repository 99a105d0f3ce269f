import type { ProvenEvent } from '#event-log';
import type { FoldedRow, GatheredRows, RowFold } from '#read-models';
import type { Finding } from './finding.ts';
import { foldOne } from './fold-stream.ts';

/** Which streams are told of: those of which an event was recorded between the two. */
export type Span = { readonly from: Date | undefined; readonly to: Date | undefined };

type Current = { readonly stream: string; isTold: boolean; readonly breaks: Finding[] };

const isWithin = (at: Date, { from, to }: Span): boolean =>
  (from === undefined || at >= from) && (to === undefined || at <= to);

/** Looks at one event after another, stream by stream. */
export const createPass = (
  fold: RowFold,
  gatherRows: () => GatheredRows<string>,
  span: Span | undefined,
  tell: (finding: Finding) => void,
) => {
  const expected = new Map<string, number>();
  const expect = (table: string, rows: number): void => void expected.set(table, (expected.get(table) ?? 0) + rows);
  const counts = { events: 0, streams: 0, rows: 0 };
  let current: Current | undefined;
  let [ended, waiting] = [gatherRows(), 0];

  const gather = (stream: string, rows: readonly FoldedRow[]): void => {
    for (const row of rows) ended.add(row, stream);
    waiting += 1;
  };

  const endStream = (): void => {
    if (!current) return;
    const { stream, isTold, breaks } = current;
    const rows = fold.rows();
    for (const { table } of rows) expect(table, 1);
    if (!isTold) return;
    for (const each of breaks) tell(each);
    counts.rows += rows.length;
    if (breaks.length === 0 && rows.length > 0) gather(stream, rows);
  };

  return {
    counts,
    /** How many rows of each table there are to be; not of those that were found missing: others stand in their place. */
    expected,
    misses: (table: string): void => expect(table, -1),
    look: (proven: ProvenEvent): void => {
      if (proven.stream !== current?.stream) {
        endStream();
        current = { stream: proven.stream, isTold: span === undefined, breaks: [] };
        counts.streams += 1;
      }
      counts.events += 1;
      if (span && !current.isTold) current.isTold = isWithin(proven.recordedAt, span);
      const broken = foldOne(fold, proven, current.breaks.length > 0);
      if (broken) current.breaks.push(broken);
    },
    end: (): void => {
      endStream();
      current = undefined;
    },
    /** So many streams came to their end since the last call of the next, with unbroken histories: their rows. */
    waiting: (): number => waiting,
    takeEnded: (): GatheredRows<string> => {
      const taken = ended;
      [ended, waiting] = [gatherRows(), 0];
      return taken;
    },
  };
};
