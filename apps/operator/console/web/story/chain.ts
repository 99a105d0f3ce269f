import canonicalize from 'canonicalize';
import type { EventBody } from '../../../history/event-body.ts';

/** The metadata as the log stores it, without the hash: the names are those of the audit documentation. */
const metadataOf = ({ schema_version, occurred_at, actor, correlation, causation, prev_hash }: EventBody) => ({
  ...{ schema_version, occurred_at, prev_hash },
  ...(actor !== null && { actor }),
  ...(correlation !== null && { correlation }),
  ...(causation !== null && { causation }),
});

/** Nothing of what no release has written: a number that no double holds, or nested deeper than can be walked. */
const canonical = (value: unknown): string | undefined => {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
};

const hashOf = async (stream: string, event: EventBody): Promise<string | undefined> => {
  const { revision, id, type, data } = event;
  const text = canonical({ stream, revision, id, type, data, metadata: metadataOf(event) });
  if (text === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

export type Link = 'proven' | 'changed' | 'unlinked';

/** So many are hashed at a time: whoever reads meanwhile scrolls and clicks in between. */
const AT_ONCE = 100;

const computed = new WeakMap<EventBody, string | undefined>();

/** Of an event that is in the hand since before it is known already. */
const remembered = async (stream: string, event: EventBody): Promise<string | undefined> => {
  const hash = computed.has(event) ? computed.get(event) : await hashOf(stream, event);
  computed.set(event, hash);
  return hash;
};

/** What each event is worth, computed here from what it says: nobody has to believe the server's own check. */
export const provenLinks = async (
  stream: string,
  events: readonly EventBody[],
  signal: AbortSignal,
): Promise<readonly Link[]> => {
  const hashes: (string | undefined)[] = [];
  while (hashes.length < events.length && !signal.aborted) {
    const next = events.slice(hashes.length, hashes.length + AT_ONCE);
    hashes.push(...(await Promise.all(next.map((event) => remembered(stream, event)))));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return events.map(({ revision, hash, prev_hash }, place) => {
    if (hashes[place] !== hash) return 'changed';
    const before = place === 0 ? null : events[place - 1]?.hash;
    return prev_hash === before && revision === place ? 'proven' : 'unlinked';
  });
};
