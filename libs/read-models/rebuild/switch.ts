import type pg from 'pg';
import type { EventLog, Position, RecordedEvent } from '#event-log';
import { inTransactionOver } from '#platform/postgres';
import type { Statement } from '../changes/statements.ts';
import { switchDamage } from '../damage/damage.ts';
import type { Projection, ProjectionId } from '../projection.ts';
import { plan, run, type Target } from '../runner/apply-batch.ts';
import { isRefusal } from '../runner/database-errors.ts';
import { Altered, checkUnaltered } from './altered.ts';
import { lackIndexes } from './indexes.ts';
import { finishRebuild, type Place } from './rebuild-row.ts';
import { lockTables, replaceTables } from './replace-tables.ts';
import { holdsOthers, lostPlaces, type Shown, shownPosition } from './shown.ts';

/** While these are applied the live owner stands still, and so does what partners see of their own writes. */
const MOST_AT_LAST = 1_000;

/** The live owner holds its checkpoint for as long as a batch takes. */
const OWNER_WAIT_MS = 2_000;

/** More is missing than may be applied in the switch, an index too, or it is refused there: it has to be filled first. */
class Behind extends Error {
  override readonly name = 'Behind';
}

/**
 * Holds every owner of the name where it is, of whatever version, and gives the furthest position that
 * readers may have seen. It stands in line behind a batch under way; none can begin until this transaction has ended.
 */
export const holdOwners = async (client: pg.Client, id: ProjectionId, lost: readonly string[]): Promise<Shown> => {
  await client.query(`SET LOCAL lock_timeout = ${OWNER_WAIT_MS}`);
  return shownPosition(client, id, lost, 'FOR UPDATE');
};

/** What lies behind `after` up to `end`. Whatever stands before a position that was shown is settled in the log. */
const eventsUpTo = async (
  log: Pick<EventLog, 'readAll'>,
  { filter, proves }: Projection,
  after: Position | undefined,
  end: Position | undefined,
): Promise<RecordedEvent[]> => {
  const missing: RecordedEvent[] = [];
  if (end === undefined || (after !== undefined && after >= end)) return missing;
  const behind = {
    ...(after !== undefined && { after }),
    ...(filter && { filter }),
    ...(proves && { prove: [proves.prefix] }),
  };
  for await (const event of log.readAll(behind)) {
    if (event.position > end) break;
    if (missing.push(event) > MOST_AT_LAST) throw new Behind(`more than ${MOST_AT_LAST} events are missing`);
  }
  return missing;
};

const planOrBehind = async (target: Target, missing: readonly RecordedEvent[]): Promise<readonly Statement[]> => {
  const { events, found } = (await target.prover?.sift(missing)) ?? { events: missing, found: [] };
  if (found.length > 0) {
    target.prover?.forget(found);
    throw new Behind('a stream is damaged');
  }
  try {
    return plan(target, events);
  } catch (cause) {
    throw new Behind('the last events were refused', { cause });
  }
};

/** What cannot be taken here is left to the filling, which goes event by event and names the one that is poison. */
const applyMissing = async (target: Target, missing: readonly RecordedEvent[]): Promise<void> => {
  const statements = await planOrBehind(target, missing);
  for (const statement of statements)
    await run(target.client, statement).catch((error: unknown) => {
      throw isRefusal(error) ? new Behind('the last events were refused', { cause: error }) : error;
    });
};

/** Readers of the tables have a position that never goes back in one log: the further one of both. */
const further = (one: Position | undefined, other: Position | undefined): Position | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;

/**
 * An owner of this version goes on from here; one of another has no tables any more. The rows are those of the log as
 * it is: what the old ones were taken from need not be in it.
 */
const takeOver = async (client: pg.Client, { name, version }: ProjectionId, place: Place): Promise<void> => {
  await client.query(
    `INSERT INTO projection_checkpoints (name, version, position, events) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name, version) DO UPDATE
       SET position = $3, events = $4, last_event = NULL, behind_last = false, state = 'running', failure = NULL,
           updated_at = now(), switches = projection_checkpoints.switches + 1`,
    [name, version, place.position ?? null, place.events],
  );
  await client.query(
    `UPDATE projection_checkpoints SET state = 'retired', failure = NULL, updated_at = now()
     WHERE name = $1 AND version <> $2`,
    [name, version],
  );
};

export type SwitchOptions = {
  readonly target: Target;
  readonly tables: readonly string[];
  readonly log: Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll'>;
};

/**
 * All in one transaction: the owners stand still, the last events are applied beside, the tables change places, the
 * checkpoint moves. Readers see the old rows with the old position or the new ones with the new.
 */
const switchTables = async ({ target, tables, log }: SwitchOptions, { position, events }: Place): Promise<Place> => {
  const { client, projection } = target;
  const lost = await lostPlaces(log, client, projection);
  return inTransactionOver(client, async () => {
    const owners = await holdOwners(client, projection, lost);
    const shown = owners === 'lost' ? undefined : owners;
    const missing = await eventsUpTo(log, projection, position, shown);
    // A log that was exchanged meanwhile may lack the last of them, and gives what it has.
    if (!(await holdsOthers(log, client, projection, lost))) throw new Behind('the log holds no more what was shown');
    await applyMissing(target, missing);
    await finishRebuild(client, projection, position, 'switch');
    await lockTables(client, tables);
    await checkUnaltered(client, tables);
    if (await lackIndexes(client, tables)) throw new Behind('an index has come');
    await replaceTables(client, tables);
    await switchDamage(client, projection.name);
    const place = { position: further(position, shown), events: events + missing.length };
    await takeOver(client, projection, place);
    return place;
  });
};

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03';

/** `busy`: a reader or the owner held on for too long. In each case but that of a place nothing has changed. */
export const trySwitch = async (
  options: SwitchOptions,
  place: Place,
): Promise<Place | 'behind' | 'busy' | 'altered'> => {
  try {
    return await switchTables(options, place);
  } catch (error) {
    options.target.prover?.forget([]);
    if (error instanceof Behind) return 'behind';
    if (error instanceof Altered) return 'altered';
    if (isBusy(error)) return 'busy';
    throw error;
  }
};
