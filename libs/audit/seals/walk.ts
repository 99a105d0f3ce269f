import type { ProvenEvent } from '#event-log';
import type { Head } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';

export type WalkOptions = {
  /** Where streams ended at a seal, in the order in which they are walked through. */
  readonly sealed: AsyncIterable<Head>;
  /** The last place that is under it; null: nothing is. */
  readonly position: string | null;
  readonly tell: (finding: Finding) => void;
  /** Where a stream ends now; `before`: at the seal. */
  readonly onHead?: (head: Head, before: Head | undefined) => void;
};

const found = (stream: string, problem: string, revision?: number): Finding => ({
  ...{ by: 'seal' as const, stream, problem },
  ...(revision !== undefined && { revision }),
});

/** What became of one stream since it was sealed. */
const createStream = (stream: string, before: Head | undefined, { position, tell }: WalkOptions) => {
  let last: ProvenEvent | undefined;
  return {
    see: (event: ProvenEvent): void => {
      last = event;
      if (event.revision === before?.revision && event.hash !== before.hash)
        tell(found(stream, 'its history up to here is another than was sealed', event.revision));
      const isNew = before === undefined || event.revision > before.revision;
      if (isNew && position !== null && event.position <= position)
        tell(found(stream, 'it was added to what was sealed', event.revision));
    },
    end: (): Head => {
      const [revision, hash] = [last?.revision ?? 0, last?.hash ?? ''];
      if (before && revision < before.revision)
        tell(found(stream, `its end was cut off: it was sealed up to revision ${before.revision}`, revision));
      return { stream, revision, hash };
    },
  };
};

/**
 * Walks through all streams beside where they ended at a seal: both come in the order of their names, so nothing of them
 * is kept. Names are plain ASCII, whose order is that of their bytes.
 */
export const createWalk = (options: WalkOptions) => {
  const { sealed, tell, onHead } = options;
  const heads = sealed[Symbol.asyncIterator]();
  let next: Head | undefined;
  let begun = false;
  let name: string | undefined;
  let [before, current]: [Head | undefined, ReturnType<typeof createStream> | undefined] = [undefined, undefined];

  const advance = async (): Promise<void> => {
    const { value, done } = await heads.next();
    next = done ? undefined : value;
  };

  /** Streams that were sealed and that the walk has passed by. */
  const passBy = async (stream: string | undefined): Promise<void> => {
    if (!begun) await advance();
    begun = true;
    for (; next && (stream === undefined || next.stream < stream); await advance())
      tell(found(next.stream, 'its whole history is gone'));
  };

  const endStream = (): void => {
    const head = current?.end();
    if (head) onHead?.(head, before);
    current = undefined;
  };

  const begin = async (stream: string): Promise<void> => {
    endStream();
    await passBy(stream);
    before = next?.stream === stream ? next : undefined;
    if (before) await advance();
    [name, current] = [stream, createStream(stream, before, options)];
  };

  return {
    page: async (events: readonly ProvenEvent[]): Promise<void> => {
      for (const event of events) {
        if (event.stream !== name) await begin(event.stream);
        current?.see(event);
      }
    },
    end: async (): Promise<void> => {
      endStream();
      await passBy(undefined);
    },
  };
};
