import { setImmediate as turn } from 'node:timers/promises';
import { BrokenHistory } from './errors.ts';
import { FIRST_LINK, type Link } from './hash-chain.ts';
import type { Patience } from './persistence.ts';
import { readStream } from './read.ts';
import { recorded } from './recorded.ts';
import type { Seen } from './seen.ts';
import type { StoredEvent } from './store.ts';
import { linkAfterStored } from './stored-chain.ts';

/** To prove and fold so many takes some milliseconds: others of the process have their turn in between. */
const IN_ONE_TURN = 100;

/**
 * A stream from its first event to its last, proven as it is read: who decides on it must not decide on what was
 * changed behind the log's back.
 */
export async function* wholeStream(seen: Seen, patience: Patience, stream: string): AsyncGenerator<StoredEvent> {
  const known = seen.of(stream);
  let link: Link = FIRST_LINK;
  for await (const event of readStream(seen.store, patience, stream, {})) {
    if (event.problem !== undefined) recorded(event);
    link = linkAfterStored(link, event);
    const isAnother = event.revision === known?.revision && link.hash !== (known.hash ?? link.hash);
    if (isAnother && !(await seen.isGivenUp(stream, known)))
      throw new BrokenHistory(`stream ${stream}, revision ${event.revision}: it is another event than was seen before`);
    yield event;
    if (link.revision % IN_ONE_TURN === 0) await turn();
  }
}
