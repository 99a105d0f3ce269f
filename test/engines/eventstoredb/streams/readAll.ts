import type { Recorded } from '../log/event.ts';
import { indexAt, type Log } from '../log/log.ts';
import { type From, resolveFrom } from './starts.ts';

const indexFrom = (all: readonly Recorded[], from: From) =>
  from === 'start' || from === 'end' ? resolveFrom(from, 0, all.length) : indexAt(all, from);

/** Forwards the position is included, backwards it is not. Deleted events are there as well. */
export function* readAll({ all }: Log, from: From, direction: 'forwards' | 'backwards', count: number) {
  const step = direction === 'forwards' ? 1 : -1;
  const start = indexFrom(all, from) + (step === 1 ? 0 : -1);
  for (let i = start, left = count; left > 0; i += step, left--) {
    const event = all[i];
    if (!event) return;
    yield event;
  }
}
