import type pg from 'pg';
import type { EventLog } from '#event-log';
import { growingPause, pause } from '#platform/pause';
import { inTransactionOver } from '#platform/postgres';
import { keyOf, type Projection, type ProjectionLogger } from '../projection.ts';
import { fill } from './fill.ts';
import { makeTables } from './make-tables.ts';
import { BEGINNING, markFilling, moveRebuild, type Place, type RebuildRow } from './rebuild-row.ts';
import { trySwitch } from './switch.ts';
import { besideOf, besideTables, quoted } from './table-names.ts';

/** A projection and every table that it writes. */
export type TabledProjection = { readonly projection: Projection; readonly tables: readonly string[] };

export type RebuildParts = TabledProjection & {
  readonly log: Pick<EventLog, 'readAll'>;
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
    await markFilling(client, projection);
  });
  return BEGINNING;
};

/** Without it the first queries after the switch would be planned for empty tables. */
const analyse = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  for (const table of tables) await client.query(`ANALYZE ${quoted(besideOf(table))}`);
};

/**
 * Fills the tables beside the live ones and lets them change places; returns when that is done, or when told to stop:
 * then the row of the rebuild is there for whoever goes on. Throws what may pass and what may not.
 */
export const rebuild = async (
  client: pg.Client,
  { projection, tables, log, logger, batchSize }: RebuildParts,
  row: RebuildRow,
  signal: AbortSignal,
): Promise<void> => {
  const about = { projection: projection.name, version: projection.version };
  const target = { client, projection, tableNames: besideTables(tables), move: moveRebuild };
  const onTakenOneByOne = (reason: string): void =>
    logger.warn({ ...about, reason }, 'a batch of a rebuild was refused as a whole and taken event by event');
  const fillOn = (from: Place) => fill({ target, log, batchSize, onTakenOneByOne }, from, signal);

  let place = await begin(client, { projection, tables }, row);
  logger.debug({ ...about, events: place.events }, `rebuilds projection ${keyOf(projection)}`);
  place = await fillOn(place);
  if (!signal.aborted) await analyse(client, tables);
  for (let attempt = 0; !signal.aborted; ) {
    const before = place.events;
    place = await fillOn(place);
    if (signal.aborted || place.events - before > NEARLY) continue;
    const outcome = await trySwitch({ target, tables, log }, place);
    if (typeof outcome === 'object') {
      logger.info({ ...about, ...outcome }, `projection ${keyOf(projection)} is rebuilt`);
      return;
    }
    const pauseMs = pauseBetweenTries(attempt++);
    if (outcome === 'busy') logger.debug({ ...about, pauseMs }, 'a reader holds the tables: the switch waits for it');
    await pause(pauseMs, signal);
  }
};
