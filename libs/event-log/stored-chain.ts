import { CHANGED, canonicalText, isAsWritten, type Link, linkAfterText } from './hash-chain.ts';
import type { StoredEvent } from './store.ts';

const textOf = ({ text, data }: StoredEvent): string | undefined => text ?? canonicalText(data);

/** Proves one event of a store behind another. */
export const linkAfterStored = (expected: Link, event: StoredEvent): Link =>
  linkAfterText(expected, { ...event, data: textOf(event) });

/** The feed hands the same event to every follower: it is hashed once for all of them. */
const sound = new WeakSet<StoredEvent>();

/** How one event, looked at by itself, is not as it was written. */
export const problemOf = (event: StoredEvent): string | undefined => {
  if (event.problem !== undefined) return event.problem;
  if (sound.has(event)) return undefined;
  if (!isAsWritten(event, textOf(event))) return CHANGED;
  sound.add(event);
  return undefined;
};
