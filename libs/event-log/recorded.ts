import { BrokenHistory } from './errors.ts';
import type { RecordedEvent } from './port.ts';
import type { StoredEvent } from './store.ts';
import { problemOf } from './stored-chain.ts';
import type { Upcast } from './upcasting.ts';

/** Written out: it is done for every event, and copying all but some fields takes several times as long. */
const inWords = ({ metadata, stream, revision, position, id, type, recordedAt, data }: StoredEvent): RecordedEvent => ({
  ...{ stream, revision, position, id, type, recordedAt, data },
  schemaVersion: metadata.schema_version,
  metadata: {
    occurredAt: metadata.occurred_at,
    ...(metadata.actor !== undefined && { actor: metadata.actor }),
    ...(metadata.correlation !== undefined && { correlationId: metadata.correlation }),
    ...(metadata.causation !== undefined && { causationId: metadata.causation }),
    prevHash: metadata.prev_hash,
    hash: metadata.hash,
  },
});

/** What a reader gets: the stored names in the words of the port. */
export const recorded = (event: StoredEvent): RecordedEvent => {
  const { stream, revision, problem } = event;
  if (problem !== undefined)
    throw new BrokenHistory(`stream ${stream}, revision ${revision}: ${problem}`, { revision });
  return inWords(event);
};

/** As it stands in the store, with what is wrong with it. */
export const asStored = (event: StoredEvent): RecordedEvent => ({
  ...inWords(event),
  ...(event.problem !== undefined && { problem: event.problem }),
});

/** For whoever would rather be told of a damaged event than be stopped by it, in a stream that he proves or in another. */
export const shownAs =
  (upcast: Upcast, prove: readonly string[] | undefined) =>
  (event: StoredEvent): RecordedEvent => {
    if (prove === undefined) return upcast(recorded(event));
    if (!prove.some((prefix) => event.stream.startsWith(prefix))) return asStored(event);
    const problem = problemOf(event);
    return problem === undefined ? upcast(recorded(event)) : { ...inWords(event), problem };
  };

/** A page up to an event that cannot be shown, and what is thrown then. */
export const asFarAsShown = (page: readonly StoredEvent[], show: (event: StoredEvent) => RecordedEvent) => {
  const events: RecordedEvent[] = [];
  try {
    for (const event of page) events.push(show(event));
    return { events };
  } catch (cause) {
    return { events, refusal: { cause } };
  }
};
