import canonicalize from 'canonicalize';
import type { EventBody } from '../../../history/event-body.ts';

/** The metadata as the log stores it, without the hash: the names are those of the audit documentation. */
const metadataOf = ({ schema_version, occurred_at, actor, correlation, causation, prev_hash }: EventBody) => ({
  ...{ schema_version, occurred_at, prev_hash },
  ...(actor !== null && { actor }),
  ...(correlation !== null && { correlation }),
  ...(causation !== null && { causation }),
});

const hashOf = async (stream: string, event: EventBody): Promise<string> => {
  const { revision, id, type, data } = event;
  const text = canonicalize({ stream, revision, id, type, data, metadata: metadataOf(event) }) ?? '';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

export type Link = 'proven' | 'changed' | 'unlinked';

/** So many are hashed at a time: whoever reads meanwhile scrolls and clicks in between. */
const AT_ONCE = 100;

const computed = new WeakMap<EventBody, string>();

/** Of an event that is in the hand since before it is known already. */
const remembered = async (stream: string, event: EventBody): Promise<string> => {
  const hash = computed.get(event) ?? (await hashOf(stream, event));
  computed.set(event, hash);
  return hash;
};

/** What each event is worth, computed here from what it says: nobody has to believe the server's own check. */
export const provenLinks = async (
  stream: string,
  events: readonly EventBody[],
  signal: AbortSignal,
): Promise<readonly Link[]> => {
  const hashes: string[] = [];
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
