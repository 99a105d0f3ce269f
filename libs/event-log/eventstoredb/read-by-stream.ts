import { BrokenHistory } from '../errors.ts';
import { CHANGED, canonicalText } from '../hash-chain.ts';
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

const HIDDEN = 'its stream was deleted or cut short: nothing can be read of it, and here is what the log still has';

/** The first that stands in the order over all streams of one that gives nothing. */
const hiddenIn = async (connection: Connection, stream: string, ownership: Ownership): Promise<StoredEvent[]> => {
  for await (const page of readAll(connection, { filter: { streamPrefixes: [stream] } }, ownership)) {
    const first = page.find((event) => event.stream === stream);
    if (first) return [{ ...first, problem: HIDDEN }];
  }
  return [];
};

const jsonOf = (metadata: StoredEvent['metadata']): string => {
  try {
    return JSON.stringify(metadata);
  } catch {
    return '';
  }
};

/** The server keeps JSON and not our text of it; what is canonical is the same again. */
const textOf = ({ data, metadata, recordedAt, ...place }: StoredEvent): EventText => {
  const text = canonicalText(data);
  return {
    ...place,
    ...(text === undefined && place.problem === undefined && { problem: CHANGED }),
    data: text ?? '',
    metadata: jsonOf(metadata),
    recordedAt: () => recordedAt,
  };
};

/** What is left to be read of a stream; one that is deleted, or was gathered and gives nothing, was taken away. */
async function* eventsOf(
  connection: Connection,
  stream: string,
  { after, upTo, only }: ReadByStreamOptions,
  ownership: Ownership,
): AsyncGenerator<StoredEvent> {
  const from = stream === after?.stream ? after.revision + 1 : 0;
  let [isGiven, isHidden] = [false, from === 0 && only === undefined];
  try {
    for await (const event of readStream(connection, stream, { from, direction: 'forwards', limit: undefined })) {
      isGiven = true;
      if (event.position > upTo) return;
      yield event;
    }
  } catch (error) {
    if (!(error instanceof BrokenHistory) || isGiven) throw error;
    isHidden = from === 0;
  }
  if (isHidden && !isGiven) yield* await hiddenIn(connection, stream, ownership);
}

export async function* readByStream(
  connection: Connection,
  options: ReadByStreamOptions,
  ownership: Ownership,
): AsyncGenerator<readonly EventText[]> {
  const { only, upTo } = options;
  const names = only === undefined ? await namesUpTo(connection, upTo, ownership) : [only];
  let page: EventText[] = [];
  for (const name of names) {
    if (options.after !== undefined && byBytes(name, options.after.stream) < 0) continue;
    for await (const event of eventsOf(connection, name, options, ownership)) {
      page.push(textOf(event));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}
