import type { EventFilter } from './port.ts';
import type { StoredEvent } from './store.ts';

export const matches = (filter: EventFilter | undefined, { stream, type }: StoredEvent): boolean => {
  if (filter === undefined) return true;
  if ('types' in filter) return filter.types.includes(type);
  return filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
};
