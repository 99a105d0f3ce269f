import canonicalize from 'canonicalize';
import type { Position } from '../position.ts';
import type { EventText, ReadByStreamOptions, StoredEvent } from '../store.ts';
import type { Connection } from './connection.ts';
import type { Ownership } from './events.ts';
import { readAll } from './read-all.ts';
import { readStream } from './read-stream.ts';

const PAGE = 500;

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The server lists no streams by itself: their names are gathered, and are all that is kept of them. */
const namesUpTo = async (connection: Connection, upTo: Position, ownership: Ownership): Promise<readonly string[]> => {
  const names = new Set<string>();
  for await (const page of readAll(connection, {}, ownership)) {
    const wanted = page.filter(({ position }) => position <= upTo);
    for (const { stream } of wanted) names.add(stream);
    if (wanted.length < page.length) break;
  }
  return [...names].toSorted(byBytes);
};

/** The server keeps JSON and not our text of it; what is canonical is the same again. */
const textOf = ({ data, metadata, recordedAt, ...place }: StoredEvent): EventText => ({
  ...place,
  data: canonicalize(data) ?? '',
  metadata: JSON.stringify(metadata),
  recordedAt: () => recordedAt,
});

/** What is left to be read behind a place, stream by stream. */
async function* eventsBehind(
  connection: Connection,
  names: readonly string[],
  { after, upTo }: ReadByStreamOptions,
): AsyncGenerator<StoredEvent> {
  for (const name of names) {
    if (after !== undefined && byBytes(name, after.stream) < 0) continue;
    const from = name === after?.stream ? after.revision + 1 : 0;
    for await (const event of readStream(connection, name, { from, direction: 'forwards', limit: undefined })) {
      if (event.position > upTo) break;
      yield event;
    }
  }
}

export async function* readByStream(
  connection: Connection,
  options: ReadByStreamOptions,
  ownership: Ownership,
): AsyncGenerator<readonly EventText[]> {
  const { only, upTo } = options;
  const names = only === undefined ? await namesUpTo(connection, upTo, ownership) : [only];
  let page: EventText[] = [];
  for await (const event of eventsBehind(connection, names, options)) {
    page.push(textOf(event));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
