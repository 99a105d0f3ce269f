import type { Patience } from './persistence.ts';
import type { ReadAllOptions, ReadOptions } from './port.ts';
import { resuming } from './resume.ts';
import type { EventStore, StoredEvent } from './store.ts';

async function* nothing(): AsyncGenerator<never> {}

/** What is still to be read after `given` items; undefined: no limit. */
const left = (limit: number | undefined, given: number): number | undefined =>
  limit === undefined ? undefined : limit - given;

export const readStream = (
  store: EventStore,
  patience: Patience,
  stream: string,
  { from, direction = 'forwards', limit }: ReadOptions,
): AsyncIterable<StoredEvent> => {
  const step = direction === 'forwards' ? 1 : -1;
  const open = (last: StoredEvent | undefined, given: number) => {
    const next = last === undefined ? from : last.revision + step;
    if (left(limit, given) === 0 || (next !== undefined && next < 0)) return nothing();
    return store.readStream(stream, { from: next, direction, limit: left(limit, given) });
  };
  return resuming(`read of ${stream}`, open, patience);
};

export const readAll = (
  store: EventStore,
  patience: Patience,
  { after, limit, ...options }: ReadAllOptions,
): AsyncIterable<readonly StoredEvent[]> => {
  let given = 0;
  async function* counted(pages: AsyncIterable<readonly StoredEvent[]>) {
    for await (const page of pages) {
      given += page.length;
      yield page;
    }
  }
  const open = (last: readonly StoredEvent[] | undefined) => {
    if (left(limit, given) === 0) return nothing();
    const start = last?.at(-1)?.position ?? after;
    const rest = left(limit, given);
    return counted(
      store.readAll({
        ...options,
        ...(start !== undefined && { after: start }),
        ...(rest !== undefined && { limit: rest }),
      }),
    );
  };
  return resuming('read of all streams', open, patience);
};
