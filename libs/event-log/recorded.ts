import type { RecordedEvent } from './port.ts';
import type { StoredEvent } from './store.ts';

/** What a reader gets: the stored names in the words of the port. */
export const recorded = ({ metadata, ...event }: StoredEvent): RecordedEvent => ({
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
