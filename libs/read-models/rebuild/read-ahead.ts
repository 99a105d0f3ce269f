import type { Batch, Position, RecordedEvent } from '#event-log';

/** Of at most so many events, and nothing behind a place. */
export async function* batchesOf(
  pages: AsyncIterable<readonly RecordedEvent[]>,
  size: number,
  until: Position | undefined,
): AsyncGenerator<Batch> {
  for await (const page of pages) {
    const wanted = until === undefined ? page : page.filter(({ position }) => position <= until);
    for (let from = 0; from < wanted.length; from += size) {
      const events = wanted.slice(from, from + size);
      const position = events.at(-1)?.position;
      if (position !== undefined) yield { events, position };
    }
    if (wanted.length < page.length) return;
  }
}

/** The next one is made while one is written. Who is told to stop does not wait for it; else nothing goes on behind. */
export async function* readAhead<T>(items: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  let coming = items.next();
  try {
    for (let { done, value } = await coming; !done; { done, value } = await coming) {
      coming = items.next();
      coming.catch(() => undefined);
      yield value;
    }
  } finally {
    const left = items.return(undefined).catch(() => undefined);
    if (!signal.aborted) await left;
  }
}
