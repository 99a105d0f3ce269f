import canonicalize from 'canonicalize';
import { CHANGED, hashOf, type Link, linkAfterText } from './hash-chain.ts';
import type { StoredEvent } from './store.ts';

const textOf = ({ text, data }: StoredEvent): string => text ?? canonicalize(data) ?? '';

/** Proves one event of a store behind another. */
export const linkAfterStored = (expected: Link, event: StoredEvent): Link =>
  linkAfterText(expected, { ...event, data: textOf(event) });

/** How one event, looked at by itself, is not as it was written. */
export const problemOf = (event: StoredEvent): string | undefined => {
  if (event.problem !== undefined) return event.problem;
  return hashOf(event, textOf(event)) === event.metadata.hash ? undefined : CHANGED;
};
