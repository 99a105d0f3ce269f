import { BrokenHistory } from './errors.ts';
import type { RecordedEvent } from './port.ts';
import type { StoredEvent } from './store.ts';
import { problemOf } from './stored-chain.ts';
import { asItIs, type Upcast } from './upcasting.ts';

const inWords = ({ metadata, text: _, problem: __, ...event }: StoredEvent): RecordedEvent => ({
  ...event,
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
  if (problem !== undefined) throw new BrokenHistory(`stream ${stream}, revision ${revision}: ${problem}`);
  return inWords(event);
};

/** For whoever would rather be told of a damaged event than be stopped by it. */
export const shownAs =
  (upcast: Upcast, prove: string | undefined) =>
  (event: StoredEvent): RecordedEvent => {
    if (upcast === asItIs && event.problem !== undefined) return { ...inWords(event), problem: event.problem };
    const problem = prove !== undefined && event.stream.startsWith(prove) ? problemOf(event) : undefined;
    return problem === undefined ? upcast(recorded(event)) : { ...inWords(event), problem };
  };
