import type { Batch, Position, RecordedEvent } from '#event-log';
import type { CopiedTables } from '../changes/copied.ts';
import { type Statement, statementsOf } from '../changes/statements.ts';
import { openWaves } from '../changes/waves.ts';
import type { Damage } from '../damage/damage.ts';
import { changesOf, damageStatements, type Planned, type Target } from '../runner/apply-batch.ts';

/** What many events come to: a row is written once, however many of them change it. They themselves are not kept. */
export type Chunk = {
  readonly position: Position;
  readonly count: number;
  readonly found: readonly Damage[];
  readonly planned: Planned;
};

export type FoldTarget = { readonly target: Target; readonly copied: CopiedTables };

const planned = (statements: () => readonly Statement[]): Planned => {
  try {
    return { statements: statements() };
  } catch (cause) {
    return { cause };
  }
};

const openChunk = ({ target, copied }: FoldTarget) => {
  const waves = openWaves();
  const found: Damage[] = [];
  let count = 0;
  let refused: { readonly cause: unknown } | undefined;

  const project = (events: readonly RecordedEvent[]): void => {
    try {
      for (const event of events) for (const change of changesOf(target, event)) waves.take(change);
    } catch (cause) {
      refused = { cause };
    }
  };

  return {
    take: async ({ events }: Batch): Promise<void> => {
      const sifted = (await target.prover?.sift(events)) ?? { events, found: [] };
      found.push(...sifted.found);
      count += events.length;
      project(sifted.events);
    },
    isFull: (size: number) => count >= size || refused !== undefined,
    close: (position: Position): Chunk => ({
      ...{ position, count, found },
      planned:
        refused ??
        planned(() => [...statementsOf(waves.waves(), target.tableNames, copied), ...damageStatements(target, found)]),
    }),
  };
};

/** Pages of the log, folded until so many events have come together. */
export async function* inChunks(to: FoldTarget, pages: AsyncIterable<Batch>, size: number): AsyncGenerator<Chunk> {
  let chunk = openChunk(to);
  let position: Position | undefined;
  for await (const page of pages) {
    await chunk.take(page);
    position = page.position;
    if (!chunk.isFull(size)) continue;
    yield chunk.close(position);
    [chunk, position] = [openChunk(to), undefined];
  }
  if (position !== undefined) yield chunk.close(position);
}
