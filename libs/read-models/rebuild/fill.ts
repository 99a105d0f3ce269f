import type { Batch, EventLog, Position, RecordedEvent } from '#event-log';
import type { Damage } from '../damage/damage.ts';
import { applyBatch, type Prepared, prepare, store, type Target } from '../runner/apply-batch.ts';
import type { Place } from './rebuild-row.ts';

/** Each costs its statements and a commit; what it holds is in memory twice, as one is read ahead. */
const BATCH = 1_000;

async function* inBatches(
  events: AsyncIterable<RecordedEvent>,
  size: number,
  until: Place['position'],
): AsyncGenerator<Batch> {
  let batch: RecordedEvent[] = [];
  let position: Position | undefined;
  for await (const event of events) {
    if (until !== undefined && event.position > until) break;
    batch.push(event);
    position = event.position;
    if (batch.length < size) continue;
    yield { events: batch, position };
    batch = [];
  }
  if (position !== undefined && batch.length > 0) yield { events: batch, position };
}

async function* prepared(target: Target, batches: AsyncIterable<Batch>): AsyncGenerator<Prepared> {
  for await (const batch of batches) yield await prepare(target, batch);
}

/** The next one is read and prepared while one is written. */
async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let coming = items.next();
  try {
    for (let { done, value } = await coming; !done; { done, value } = await coming) {
      coming = items.next();
      // Whoever leaves in between does not wait for it.
      coming.catch(() => undefined);
      yield value;
    }
  } finally {
    items.return(undefined).catch(() => undefined);
  }
}

export type FillOptions = {
  readonly target: Target;
  readonly log: Pick<EventLog, 'readAll'>;
  readonly batchSize?: number | undefined;
  readonly onTakenOneByOne: (reason: string) => void;
  readonly onDamage: (found: readonly Damage[]) => void;
  /** No further than this. */
  readonly until?: Place['position'] | undefined;
};

/**
 * Everything behind `from` that the log has now, batch by batch; where it came to. It ends with the log and does not
 * follow it: what its filter leaves out at the end need not be seen, since the live checkpoint knows it.
 */
export const fill = async (
  { target, log, batchSize = BATCH, onTakenOneByOne, onDamage, until }: FillOptions,
  from: Place,
  signal: AbortSignal,
): Promise<Place> => {
  let place = from;
  const { filter, proves } = target.projection;
  const onMoved = (position: Place['position'], events: number): void => {
    place = { position, events: place.events + events };
  };
  const behind = log.readAll({
    ...(from.position !== undefined && { after: from.position }),
    ...(filter && { filter }),
    ...(proves && { prove: proves.prefix }),
  });
  for await (const batch of readAhead(prepared(target, inBatches(behind, batchSize, until)))) {
    if (signal.aborted) break;
    const standing = { stored: place.position, shown: place.position, passed: 0 };
    await store(target, await applyBatch(target, standing, batch, { onMoved, onTakenOneByOne }));
    onDamage(batch.found);
  }
  return place;
};
