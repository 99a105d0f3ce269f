import type { Recorded } from '../log/event.ts';
import type { Log } from '../log/log.ts';
import { firstVisible, lastRevision, readable } from '../log/stream.ts';
import { type From, resolveFrom } from './starts.ts';

function* forwards(events: readonly Recorded[], first: number, count: number) {
  for (let i = first, left = count; left > 0; i++, left--) {
    const event = events[i];
    if (!event) return;
    yield event;
  }
}

function* backwards(events: readonly Recorded[], from: number, first: number, count: number) {
  for (let i = from, left = count; left > 0 && i >= first; i--, left--) {
    const event = events[i];
    if (event) yield event;
  }
}

/** Undefined for a stream that reads as missing. From a revision on, that revision included, in both directions. */
export const readStream = (log: Log, name: string, from: From, direction: 'forwards' | 'backwards', count: number) => {
  const stream = readable(log.stream(name));
  if (!stream) return undefined;
  const first = firstVisible(stream);
  const revision = resolveFrom(from, 0, lastRevision(stream));
  return direction === 'forwards'
    ? forwards(stream.events, Math.max(first, revision), count)
    : backwards(stream.events, Math.min(revision, lastRevision(stream)), first, count);
};
