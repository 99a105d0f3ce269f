import { setTimeout as later } from 'node:timers/promises';
import { BrokenHistory } from './errors.ts';
import { FIRST_LINK, type Link, linkAfter } from './hash-chain.ts';
import type { Heads } from './heads.ts';
import type { Patience } from './persistence.ts';
import { readStream } from './read.ts';
import { recorded } from './recorded.ts';
import type { EventStore, StoredEvent } from './store.ts';

/** A node of a cluster may answer from its past for a moment: what is missing is asked for again. */
const LOOKS = 10;
const PAUSE_MS = 200;

type Parts = { readonly store: EventStore; readonly patience: Patience; readonly heads: Heads };

/**
 * A stream from its first event to its last, proven as it is read, and no shorter than this process has seen it: who
 * decides on it must not decide on what was changed or taken away behind the log's back.
 */
export async function* wholeStream({ store, patience, heads }: Parts, stream: string): AsyncGenerator<StoredEvent> {
  const known = heads.known(stream);
  let link: Link = FIRST_LINK;
  for (let look = 1; ; look++) {
    for await (const event of readStream(store, patience, stream, { from: link.revision })) {
      link = linkAfter(link, recorded(event));
      if (event.revision === known?.revision && link.hash !== known.hash)
        throw new BrokenHistory(
          `stream ${stream}, revision ${event.revision}: it is another event than was seen before`,
        );
      yield event;
    }
    if (known === undefined || link.revision > known.revision) return;
    if (look === LOOKS)
      throw new BrokenHistory(
        `stream ${stream}: it ends before revision ${link.revision}, and was seen up to ${known.revision}`,
      );
    await later(PAUSE_MS);
  }
}
