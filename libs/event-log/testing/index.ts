import { chain } from '../append.ts';
import { prepareAppend } from '../append-request.ts';
import type { NewEvent } from '../port.ts';
import { type EventToStore, NOTHING } from '../store.ts';

/** A stream from its first event on, as a store is given it: whoever fills a log by the million writes rows himself. */
export const writtenStream = (stream: string, events: readonly NewEvent[]): readonly EventToStore[] =>
  chain(stream, NOTHING, null, prepareAppend(stream, events));
