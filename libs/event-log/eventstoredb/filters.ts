import { eventTypeFilter, excludeSystemEvents, type Filter, streamNameFilter } from '@eventstore/db-client';
import type { EventFilter } from '../port.ts';

type CheckpointReached = NonNullable<Filter['checkpointReached']>;

/**
 * Applied by the server. A filter is always set, since only a filtered subscription is told how far it has looked;
 * without one of ours it leaves out the server's own events.
 */
export const serverFilter = (filter: EventFilter | undefined, checkpointReached: CheckpointReached): Filter => {
  if (filter === undefined) return excludeSystemEvents({ checkpointReached });
  if ('streamPrefixes' in filter) return streamNameFilter({ prefixes: [...filter.streamPrefixes], checkpointReached });
  // Prefixes would let `Paid` match `PaidLate`.
  const names = filter.types.map((type) => RegExp.escape(type)).join('|');
  return eventTypeFilter({ regex: `^(${names})$`, checkpointReached });
};
