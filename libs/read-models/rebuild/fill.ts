import type { Batch, EventLog, Position } from '#event-log';
import type { CopiedTables } from '../changes/copied.ts';
import type { Damage } from '../damage/damage.ts';
import { applyBatch, type Prepared, prepare, store, type Target, tryToApply } from '../runner/apply-batch.ts';
import { type Chunk, inChunks } from './chunks.ts';
import { batchesOf, readAhead } from './read-ahead.ts';
import type { Place } from './rebuild-row.ts';

/** Each costs its statements and a commit; what it comes to is in memory twice, as one is made while one is written. */
const CHUNK = 20_000;
/** Of what is read ahead and not written yet, rows remember nothing: the end of each such stream is kept at hand. */
export const STREAMS_AHEAD = 2 * CHUNK;
/** What is read at once. */
const PAGE = 1_000;

export type FillOptions = {
  readonly target: Target;
  /** The tables that take new rows by COPY. */
  readonly copied: CopiedTables;
  readonly log: Pick<EventLog, 'readPages'>;
  readonly batchSize?: number | undefined;
  readonly onTakenOneByOne: (reason: string) => void;
  readonly onDamage: (found: readonly Damage[]) => void;
  /** No further than this. */
  readonly until?: Place['position'] | undefined;
};

const pagesBehind = ({ log, target, batchSize = PAGE, until }: FillOptions, { position }: Place) => {
  const { filter, proves } = target.projection;
  const behind = log.readPages({
    ...(position !== undefined && { after: position }),
    ...(filter && { filter }),
    ...(proves && { prove: [proves.prefix] }),
  });
  return batchesOf(behind, Math.min(batchSize, PAGE), until);
};

type Filled = { readonly place: Place; readonly refusedAt?: Position };

/** Up to a chunk that is refused as a whole: of that, and of what was read behind it, nothing is written. */
const fillInChunks = async (options: FillOptions, from: Place, signal: AbortSignal): Promise<Filled> => {
  const { target, batchSize = CHUNK, onDamage } = options;
  let place = from;
  const ahead: Damage[] = [];
  const forgetAhead = (): void => target.prover?.forget(ahead);
  const chunks = async function* (): AsyncGenerator<Chunk> {
    for await (const chunk of inChunks(options, pagesBehind(options, from), batchSize)) {
      ahead.push(...chunk.found);
      yield chunk;
    }
  };
  let refusedAt: Position | undefined;
  for await (const { position, count, planned, found } of readAhead(chunks(), signal)) {
    if (signal.aborted) break;
    const move = { from: place.position, to: position, events: count };
    const { applied } = await tryToApply(target, move, planned);
    if (!applied) {
      refusedAt = position;
      break;
    }
    place = { position, events: place.events + count };
    onDamage(ahead.splice(0, found.length));
  }
  if (refusedAt === undefined) return { place };
  forgetAhead();
  return { place, refusedAt };
};

async function* prepared(target: Target, batches: AsyncIterable<Batch>): AsyncGenerator<Prepared> {
  for await (const batch of batches) yield await prepare(target, batch);
}

/** In small batches, of which one that is refused is taken event by event: those before the poison count, it is named. */
const fillWithCare = async (options: FillOptions, from: Place, signal: AbortSignal): Promise<Place> => {
  const { target, onTakenOneByOne, onDamage } = options;
  let place = from;
  const onMoved = (position: Place['position'], events: number): void => {
    place = { position, events: place.events + events };
  };
  for await (const batch of prepared(target, pagesBehind(options, from))) {
    if (signal.aborted) break;
    const standing = { stored: place.position, shown: place.position, passed: 0 };
    await store(target, await applyBatch(target, standing, batch, { onMoved, onTakenOneByOne }));
    onDamage(batch.found);
  }
  return place;
};

/**
 * Everything behind `from` that the log has now, chunk by chunk; where it came to. It ends with the log and does not
 * follow it: what its filter leaves out at the end need not be seen, since the live checkpoint knows it.
 */
export const fill = async (options: FillOptions, from: Place, signal: AbortSignal): Promise<Place> => {
  let place = from;
  while (!signal.aborted) {
    const filled = await fillInChunks(options, place, signal);
    place = filled.place;
    if (filled.refusedAt === undefined) break;
    place = await fillWithCare({ ...options, until: filled.refusedAt }, place, signal);
  }
  return place;
};
