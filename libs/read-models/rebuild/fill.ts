import type { EventLog, RecordedEvent } from '#event-log';
import { applyBatch, store, type Target } from '../runner/apply-batch.ts';
import type { Place } from './rebuild-row.ts';

const BATCH = 500;

async function* inBatches(
  events: AsyncIterable<RecordedEvent>,
  size: number,
  until: Place['position'],
): AsyncGenerator<RecordedEvent[]> {
  let batch: RecordedEvent[] = [];
  for await (const event of events) {
    if (until !== undefined && event.position > until) break;
    batch.push(event);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export type FillOptions = {
  readonly target: Target;
  readonly log: Pick<EventLog, 'readAll'>;
  readonly batchSize?: number | undefined;
  readonly onTakenOneByOne: (reason: string) => void;
  /** No further than this. */
  readonly until?: Place['position'] | undefined;
};

/**
 * Everything behind `from` that the log has now, batch by batch; where it came to. It ends with the log and does not
 * follow it: what its filter leaves out at the end need not be seen, since the live checkpoint knows it.
 */
export const fill = async (
  { target, log, batchSize = BATCH, onTakenOneByOne, until }: FillOptions,
  from: Place,
  signal: AbortSignal,
): Promise<Place> => {
  let place = from;
  const { filter } = target.projection;
  const onMoved = (position: Place['position'], events: number): void => {
    place = { position, events: place.events + events };
  };
  const behind = log.readAll({
    ...(from.position !== undefined && { after: from.position }),
    ...(filter && { filter }),
  });
  for await (const events of inBatches(behind, batchSize, until)) {
    const position = events.at(-1)?.position;
    if (position === undefined || signal.aborted) break;
    const standing = { stored: place.position, shown: place.position, passed: 0 };
    await store(target, await applyBatch(target, standing, { events, position }, { onMoved, onTakenOneByOne }));
  }
  return place;
};
