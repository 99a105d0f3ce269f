import pg from 'pg';
import { partsOf, positionOf } from '../position.ts';
import { type EventText, NOTHING, type ReadByStreamOptions } from '../store.ts';
import { orConnectionLost } from './connection-loss.ts';
import { problemBeside, UNREACHED } from './rows.ts';

/** Small enough that no other work of the process waits long for a page to be looked through. */
const PAGE = 500;

/** What the log has not come to is no part of any moment of it, and would else be told of by nobody. */
const TEXT = `
  SELECT stream, revision, xid, position, id, type, data, metadata, recorded_at, ${UNREACHED} FROM events
  WHERE (stream, revision) > ($1, $2::bigint) AND ((xid, position) <= ($3::xid8, $4::bigint) OR ${UNREACHED})
  ORDER BY stream, revision LIMIT $5`;

type Row = readonly [
  stream: string,
  revision: string,
  xid: string,
  position: string,
  id: string,
  type: string,
  data: string,
  metadata: string,
  recordedAt: string,
  unreached: string,
];

const timestamp: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

/** As the server writes them: most of what is read is only hashed. */
const types: pg.CustomTypesConfig = { getTypeParser: (() => (text: string) => text) as typeof pg.types.getTypeParser };

/** As the server writes a moment of four digits for its year. */
const isMoment = (text: string): boolean => /^\d{4}-/.test(text) && !text.endsWith('BC');

const textOf = ([stream, revision, xid, position, id, type, data, metadata, recordedAt, unreached]: Row): EventText => {
  const hasMoment = isMoment(recordedAt);
  const problem = problemBeside(hasMoment, unreached === 't');
  return {
    ...{ stream, revision: Number(revision), id, type, data, metadata },
    ...(problem !== undefined && { problem }),
    position: positionOf(xid, position),
    recordedAt: () => (hasMoment ? timestamp(recordedAt) : new Date(0)),
  };
};

type Place = { readonly stream: string; readonly revision: number };

const readPage = (pool: pg.Pool, after: Place, upTo: ReadByStreamOptions['upTo']): Promise<EventText[]> =>
  orConnectionLost(async () => {
    const { major, minor } = partsOf(upTo);
    const { rows } = await pool.query<Row[]>({
      name: 'event-log-by-stream',
      text: TEXT,
      values: [after.stream, after.revision, major, minor, PAGE],
      rowMode: 'array',
      types,
    });
    return rows.map((row) => textOf(row as unknown as Row));
  });

type Looked = { readonly wanted: readonly EventText[]; readonly next: Place | undefined };

const looked = (page: readonly EventText[], only: string | undefined): Looked => {
  const wanted = only === undefined ? page : page.filter(({ stream }) => stream === only);
  const isLast = page.length < PAGE || wanted.length < page.length;
  return { wanted, next: isLast ? undefined : page.at(-1) };
};

const startOf = (only: string | undefined): Place =>
  only === undefined ? { stream: '', revision: Number.MAX_SAFE_INTEGER } : { stream: only, revision: NOTHING };

/** The next page is on its way while one is looked through. Its primary key has the events in this order. */
export async function* readByStream(
  pool: pg.Pool,
  { after, upTo, only }: ReadByStreamOptions,
): AsyncGenerator<readonly EventText[]> {
  let coming: Promise<readonly EventText[]> | undefined = readPage(pool, after ?? startOf(only), upTo);
  while (coming) {
    const { wanted, next } = looked(await coming, only);
    coming = next && readPage(pool, next, upTo);
    // Whoever leaves in between does not wait for it.
    coming?.catch(() => undefined);
    if (wanted.length > 0) yield wanted;
  }
}
