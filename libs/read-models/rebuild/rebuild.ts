import type pg from 'pg';
import type { EventLog, Position } from '#event-log';
import { growingPause, pause } from '#platform/pause';
import { inTransaction, inTransactionOver } from '#platform/postgres';
import { type CopiedColumns, type CopiedTables, copiedColumns } from '../changes/copied.ts';
import { type Damage, forgetDamage } from '../damage/damage.ts';
import { openProver } from '../damage/prover.ts';
import { tellDamage } from '../damage/tell.ts';
import { keyOf, type Projection, type ProjectionLogger } from '../projection.ts';
import type { Target } from '../runner/apply-batch.ts';
import { readSkips } from '../runner/skips.ts';
import { keepCheck, openSnapshot } from './check.ts';
import { fill, STREAMS_AHEAD } from './fill.ts';
import { makeIndexes } from './indexes.ts';
import { makeTables } from './make-tables.ts';
import { BEGINNING, beginRebuildAnew, markFilling, moveRebuild, type Place, type RebuildRow } from './rebuild-row.ts';
import { lostPlaces, type Shown, shownPosition } from './shown.ts';
import { keepShown } from './shown-before.ts';
import { holdOwners, trySwitch } from './switch.ts';
import { besideOf, besideTables, quoted } from './table-names.ts';

/** A projection and every table that it writes; which of these keep totals, whose rows belong to no stream. */
export type TabledProjection = {
  readonly projection: Projection;
  readonly tables: readonly string[];
  readonly totals?: readonly string[];
};

export type RebuildParts = TabledProjection & {
  readonly log: Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll' | 'readPages' | 'read'>;
  readonly pool: pg.Pool;
  readonly logger: ProjectionLogger;
  readonly batchSize?: number | undefined;
};

/** A round that found no more than this leaves little enough for the switch. */
const NEARLY = 500;

const pauseBetweenTries = growingPause();

/** Goes on where another instance died, if it filled the same version; else from empty tables. */
const begin = async (client: pg.Client, { projection, tables }: TabledProjection, row: RebuildRow): Promise<Place> => {
  if (row.state === 'filling' && row.version === projection.version)
    return { position: row.position, events: row.events };
  await inTransactionOver(client, async () => {
    await makeTables(client, tables);
    await forgetDamage(client, { name: projection.name, rebuild: true });
    await markFilling(client, projection);
  });
  return BEGINNING;
};

/** Without it the first queries after the switch would be planned for empty tables. */
const analyse = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  for (const table of tables) await client.query(`ANALYZE ${quoted(besideOf(table))}`);
};

const copiedTables = async (client: pg.Client, tables: readonly string[]): Promise<CopiedTables> => {
  const copied = new Map<string, CopiedColumns>();
  for (const table of tables) {
    const columns = await copiedColumns(client, quoted(besideOf(table)));
    if (columns) copied.set(table, columns);
  }
  return copied;
};

type Filling = RebuildParts & {
  readonly target: Target;
  readonly fillOn: (from: Place, until?: Position) => Promise<Place>;
  readonly about: object;
};

/** Until the new tables are the live ones, or have to be made anew. */
const switchOver = async (filling: Filling, from: Place, signal: AbortSignal): Promise<void> => {
  const { target, tables, log, projection, logger, about, fillOn } = filling;
  let place = from;
  await keepShown(filling);
  for (let attempt = 0; !signal.aborted; ) {
    const before = place.events;
    place = await fillOn(place);
    if (signal.aborted || place.events - before > NEARLY) continue;
    await makeIndexes(target.client, tables, signal);
    const outcome = await trySwitch({ target, tables, log }, place);
    if (outcome === 'altered') {
      await beginRebuildAnew(target.client, projection);
      logger.info(
        about,
        `tables of projection ${keyOf(projection)} were altered beside its rebuild, which begins anew`,
      );
      return;
    }
    if (typeof outcome === 'object') {
      logger.info({ ...about, ...outcome }, `projection ${keyOf(projection)} is rebuilt`);
      return;
    }
    const pauseMs = pauseBetweenTries(attempt++);
    if (outcome === 'busy') logger.debug({ ...about, pauseMs }, 'a reader holds the tables: the switch waits for it');
    await pause(pauseMs, signal);
  }
};

/** To where readers are and not beyond: only there the two can be compared. Where that is in no log: to the end of this. */
const fillTo = async ({ target, projection, fillOn }: Filling, from: Place, shown: Shown): Promise<Place> => {
  if (shown === undefined) return from;
  if (shown === 'lost') return fillOn(from);
  const place = await fillOn(from, shown);
  if (place.position !== undefined && place.position >= shown) return place;
  await moveRebuild(target.client, projection, { from: place.position, to: shown, events: 0 });
  return { ...place, position: shown };
};

const fillToReaders = async (filling: Filling, from: Place): Promise<Place> => {
  const { log, pool, projection } = filling;
  return fillTo(filling, from, await shownPosition(pool, projection, await lostPlaces(log, pool, projection)));
};

/**
 * Both sides at one position and one moment: the owners stand still for the few events that are missing and until the
 * snapshot is taken, not while it is looked at.
 */
const compareNow = async (filling: Filling, from: Place, signal: AbortSignal) => {
  const { pool, projection, tables, log } = filling;
  const lost = await lostPlaces(log, pool, projection);
  const nearly = await fillTo(filling, from, await shownPosition(pool, projection, lost));
  const snapshot = await openSnapshot(pool, projection, signal);
  try {
    const place = await inTransaction(pool, async (holder) => {
      const reached = await fillTo(filling, nearly, await holdOwners(holder, projection, lost));
      await snapshot.take();
      return reached;
    });
    return { place, differences: await snapshot.differences(tables) };
  } finally {
    await snapshot.close();
  }
};

const compareAndKeep = async (filling: Filling, from: Place, mode: 'check' | 'hold', signal: AbortSignal) => {
  const { target, projection, tables, logger, about } = filling;
  const { place, differences } = await compareNow(filling, from, signal);
  if (signal.aborted) return;
  await keepCheck(target.client, { projection, tables, place }, differences, mode);
  logger.info({ ...about, ...place, differences: differences.tables }, `projection ${keyOf(projection)} is checked`);
};

/**
 * Fills the tables beside the live ones and lets them change places, or compares the two; returns when that is done, or
 * when told to stop: then the row of the rebuild is there for whoever goes on. Throws what may pass and what may not.
 */
export const rebuild = async (
  client: pg.Client,
  parts: RebuildParts,
  row: RebuildRow,
  signal: AbortSignal,
): Promise<void> => {
  const { projection, tables, log, logger, batchSize } = parts;
  const about = { projection: projection.name, version: projection.version };
  const skips = await readSkips(client, projection.name);
  const tableNames = besideTables(tables);
  let place = await begin(client, { projection, tables }, row);
  const damageOf = { name: projection.name, rebuild: true };
  const proving = { projection, log, pool: parts.pool, tableNames, of: damageOf, kept: STREAMS_AHEAD };
  const prover = await openProver(proving, client);
  const target: Target = { client, projection, tableNames, skips, move: moveRebuild, prover, damageOf };
  const copied = await copiedTables(client, tables);
  const onDamage = (found: readonly Damage[]): void => tellDamage(logger, projection, found);
  const onTakenOneByOne = (reason: string): void =>
    logger.warn({ ...about, reason }, 'a batch of a rebuild was refused as a whole and taken event by event');
  const fillOn = (from: Place, until?: Position) =>
    fill({ target, copied, log, batchSize, onTakenOneByOne, onDamage, until }, from, signal);
  const filling = { ...parts, target, fillOn, about };
  logger.debug({ ...about, events: place.events }, `rebuilds projection ${keyOf(projection)}`);
  const { mode } = row;
  place = await (mode === 'switch' ? fillOn(place) : fillToReaders(filling, place));
  if (mode !== 'check') await makeIndexes(client, tables, signal);
  if (!signal.aborted) await analyse(client, tables);
  await (mode === 'check' || mode === 'hold'
    ? compareAndKeep(filling, place, mode, signal)
    : switchOver(filling, place, signal));
};
