import type pg from 'pg';
import type { Batch, EventMark, Position, RecordedEvent } from '#event-log';
import { copyIn, inOneFlight, inTransactionOver, sendsAtOnce } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import type { RowChange } from '../changes/row-change.ts';
import { nameOf } from '../changes/statement-names.ts';
import { type Statement, statementsFor, type TableNames } from '../changes/statements.ts';
import { type Damage, type DamageOf, keepDamage } from '../damage/damage.ts';
import type { Prover, Sifted } from '../damage/prover.ts';
import type { Projection } from '../projection.ts';
import { type Move, type MoveCheckpoint, moveCheckpoint } from './checkpoint.ts';
import { isRefusal, RowMissing } from './database-errors.ts';
import { PoisonEvent } from './failure.ts';

export type Target = {
  readonly client: pg.Client;
  readonly projection: Projection;
  readonly tableNames: TableNames | undefined;
  /** Ids of events that come to no row, whatever they say. */
  readonly skips?: ReadonlySet<string>;
  /** Default: the live one. */
  readonly move?: MoveCheckpoint;
  /** How often the tables had been exchanged when the work with them began. */
  readonly switches?: number;
  readonly prover?: Prover | undefined;
  /** Default: that of the live rows. */
  readonly damageOf?: DamageOf;
};

/** The name of a statement is kept by whoever sends at once: a rebuild writes few, and those with all they can hold. */
const send = async (client: pg.Client, { text, values, copies }: Statement): Promise<number | null> => {
  if (copies) return copyIn(client, text, ...values);
  const name = sendsAtOnce(client) ? nameOf(text) : undefined;
  const { rowCount } = await client.query({ ...(name !== undefined && { name }), text, values: [...values] });
  return rowCount;
};

export const run = async (client: pg.Client, statement: Statement): Promise<void> => {
  const { text, mustTouch } = statement;
  const rowCount = await send(client, statement);
  if (mustTouch !== undefined && rowCount !== mustTouch)
    throw new RowMissing(`touched ${rowCount} of ${mustTouch} rows with: ${text}`);
};

/** Rows and checkpoint, both or neither. The fence comes first, so that a stale owner writes nothing at all. */
const commit = (target: Target, move: Move, statements: readonly Statement[]): Promise<void> => {
  const { client, projection, move: moveIt = moveCheckpoint } = target;
  const moved = () => moveIt(client, projection, { ...move, switches: target.switches });
  if (sendsAtOnce(client))
    return inOneFlight(client, () => [moved(), ...statements.map((statement) => run(client, statement))]);
  return inTransactionOver(client, async () => {
    await moved();
    for (const statement of statements) await run(client, statement);
  });
};

export const changesOf = ({ projection, skips }: Target, event: RecordedEvent): readonly RowChange[] =>
  skips?.has(event.id) ? [] : projection.project(event);

export const plan = (target: Target, events: readonly RecordedEvent[]): readonly Statement[] =>
  statementsFor(
    events.flatMap((event) => changesOf(target, event)),
    target.tableNames,
  );

type Outcome = { readonly applied: true } | { readonly applied: false; readonly cause: unknown };

/** What cannot succeed another time is an outcome; what may is thrown. */
const tryToCommit = async (target: Target, move: Move, statements: readonly Statement[]): Promise<Outcome> => {
  try {
    await commit(target, move, statements);
    return { applied: true };
  } catch (cause) {
    if (isRefusal(cause)) return { applied: false, cause };
    throw cause;
  }
};

export type Planned = { readonly statements: readonly Statement[] } | { readonly cause: unknown };

export const damageStatements = ({ projection, damageOf }: Target, found: readonly Damage[]): readonly Statement[] =>
  keepDamage(damageOf ?? { name: projection.name, rebuild: false }, found);

const tryToPlan = (target: Target, events: readonly RecordedEvent[], found: readonly Damage[] = []): Planned => {
  try {
    return { statements: [...plan(target, events), ...damageStatements(target, found)] };
  } catch (cause) {
    return { cause };
  }
};

export const tryToApply = async (target: Target, move: Move, planned: Planned): Promise<Outcome> =>
  'cause' in planned ? { applied: false, cause: planned.cause } : tryToCommit(target, move, planned.statements);

/** A batch as far as it can be prepared while another one is written. */
export type Prepared = Sifted & {
  readonly position: Position;
  /** With those that are not taken. */
  readonly count: number;
  readonly planned: Planned;
};

export const prepare = async (target: Target, { events: all, position }: Batch): Promise<Prepared> => {
  const { events, found } = (await target.prover?.sift(all)) ?? { events: all, found: [] };
  return { events, found, position, count: all.length, planned: tryToPlan(target, events, found) };
};

/** What is read of a stream that can be taken again, and says so in the same transaction. */
export const applyTogether = (
  target: Target,
  move: Move,
  events: readonly RecordedEvent[],
  alongside: Statement,
): Promise<Outcome> => {
  const planned = tryToPlan(target, events);
  return tryToApply(target, move, 'cause' in planned ? planned : { statements: [...planned.statements, alongside] });
};

export type Progress = {
  /** Told after every commit. */
  readonly onMoved: (position: Position, events: number) => void;
  /** A batch that was refused as a whole and taken event by event: right, but slow. */
  readonly onTakenOneByOne: (reason: string) => void;
};

const applyOneByOne = async (
  target: Target,
  from: Position | undefined,
  { events, found, position }: Prepared,
  { onMoved }: Progress,
): Promise<void> => {
  let place = from;
  for (const event of events) {
    const move = { from: place, to: event.position, events: 1, last: event };
    const outcome = await tryToApply(target, move, tryToPlan(target, [event]));
    if (!outcome.applied) throw new PoisonEvent(target.projection, event, outcome.cause);
    place = event.position;
    onMoved(place, 1);
  }
  if (place === position && found.length === 0) return;
  await commit(target, { from: place, to: position, events: 0 }, damageStatements(target, found));
  onMoved(position, 0);
};

/** How far the rows show the log, and how far the checkpoint says so: events that came to no row lie in between. */
export type Place = {
  readonly stored: Position | undefined;
  readonly shown: Position | undefined;
  readonly passed: number;
  /** Of the events in between. */
  readonly last?: EventMark | undefined;
};

/** Says in the checkpoint what is shown. */
export const store = async (target: Target, { stored, shown, passed, last }: Place): Promise<Place> => {
  if (shown === undefined || shown === stored) return { stored, shown, passed: 0 };
  await commit(target, { from: stored, to: shown, events: passed, last }, []);
  return { stored: shown, shown, passed: 0 };
};

/**
 * Applies a batch behind what is shown. One that comes to no row costs no transaction: its place is stored with the
 * next that does, or soon. A refused one is taken event by event: those before the poison count, it is named.
 */
export const applyBatch = async (target: Target, place: Place, batch: Prepared, progress: Progress): Promise<Place> => {
  const { position, planned, count } = batch;
  if (position === place.shown) return place;
  const last = batch.events.at(-1) ?? place.last;
  if ('statements' in planned && planned.statements.length === 0) {
    progress.onMoved(position, count);
    return { ...place, shown: position, passed: place.passed + count, last };
  }
  const move = { from: place.stored, to: position, events: place.passed + count, last };
  const outcome = await tryToApply(target, move, planned);
  if (outcome.applied) progress.onMoved(position, count);
  else {
    if (count === 0) throw outcome.cause;
    const { stored } = await store(target, place);
    await applyOneByOne(target, stored, batch, progress);
    progress.onTakenOneByOne(reasonOf(outcome.cause));
  }
  return { stored: position, shown: position, passed: 0 };
};
