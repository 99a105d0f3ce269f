import { eventTypeFilter, type Filter, streamNameFilter } from '@eventstore/db-client';
import type { EventFilter } from '../port.ts';

type CheckpointReached = NonNullable<Filter['checkpointReached']>;

/** All but the server's own events, and of these what says that a stream is not any more what it was. */
const OURS_AND_ENDS = String.raw`^([^$]|\$metadata$|\$streamDeleted$)`;

/** Applied by the server. A filter is always set, since only a filtered subscription is told how far it has looked. */
export const serverFilter = (filter: EventFilter | undefined, checkpointReached: CheckpointReached): Filter => {
  if (filter === undefined) return eventTypeFilter({ regex: OURS_AND_ENDS, checkpointReached });
  if ('streamPrefixes' in filter) return streamNameFilter({ prefixes: [...filter.streamPrefixes], checkpointReached });
  // Prefixes would let `Paid` match `PaidLate`.
  const names = filter.types.map((type) => RegExp.escape(type)).join('|');
  return eventTypeFilter({ regex: `^(${names})$`, checkpointReached });
};
