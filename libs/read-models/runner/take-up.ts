import { BrokenHistory, type EventLog, lackOf, type RecordedEvent } from '#event-log';
import { OwnershipLost } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { brokenReason } from '../damage/broken-reason.ts';
import { endDamage } from '../damage/damage.ts';
import { keyOf, type ProjectionLogger } from '../projection.ts';
import { applyTogether, type Place, store, type Target } from './apply-batch.ts';
import { readCheckpoint } from './checkpoint.ts';

export type TakingUp = {
  readonly target: Target;
  readonly log: Pick<EventLog, 'end' | 'misses' | 'read'>;
  readonly logger: ProjectionLogger;
};

/** So many at each look, in turn: thousands of them must not keep the log busy. */
const AT_ONCE = 20;

type Whole = {
  readonly missing: readonly RecordedEvent[];
  readonly last: RecordedEvent;
  /** Not where the stream had another event when the row was made, and its own came back. */
  readonly followsRow: boolean;
};

type Row = Awaited<ReturnType<NonNullable<Target['prover']>['shows']>>;

const isOfRow = (row: Row, { revision, metadata: { hash } }: RecordedEvent): boolean =>
  row?.revision === revision && (row.hash ?? hash) === hash;

/** What it lacks of a stream up to where it stands; undefined: the stream is not as it was written. */
const readWhole = async (log: Pick<EventLog, 'read'>, stream: string, from: number, row: Row, { shown }: Place) => {
  const missing: RecordedEvent[] = [];
  let last: RecordedEvent | undefined;
  let followsRow = row === undefined;
  try {
    for await (const event of log.read(stream)) {
      if (shown === undefined || event.position > shown) continue;
      last = event;
      followsRow ||= isOfRow(row, event);
      if (event.revision >= from) missing.push(event);
    }
  } catch (error) {
    if (error instanceof BrokenHistory) return undefined;
    throw error;
  }
  return last && ({ missing, last, followsRow } satisfies Whole);
};

/** A copy of the log that lacks what was taken of it shows less of any stream, too, and is no sign that one is whole. */
const isInItsLog = async ({ target: { client, projection }, log }: TakingUp, { shown, last }: Place) => {
  const taken = last ?? (await readCheckpoint(client, projection)).last;
  return (await lackOf(log, { position: shown, last: taken })) === undefined;
};

/** Lets a projection go on with a stream that is whole again, behind the last event that it took of it. */
const takeUp = async (parts: TakingUp, place: Place, stream: string): Promise<Place> => {
  const { target, log, logger } = parts;
  const { projection, prover } = target;
  const from = prover?.damaged.get(stream);
  if (from === undefined || !(await isInItsLog(parts, place))) return place;
  const whole = await readWhole(log, stream, from, await prover?.shows(stream), place);
  if (!whole || !(await isInItsLog(parts, place))) return place;
  const about = { projection: projection.name, stream };
  const refuse = (reason: string): void =>
    logger.error(about, `stream ${stream} is whole and cannot be taken up: ${reason}`);
  if (!whole.followsRow) {
    refuse(
      `its row was made of another event. Rebuild the projection (cointill projections rebuild ${projection.name})`,
    );
    return place;
  }
  const standing = await store(target, place);
  const move = { from: standing.stored, to: standing.stored, events: 0, takenUp: whole.missing.at(-1)?.position };
  const outcome = await applyTogether(target, move, whole.missing, endDamage(projection, stream));
  if (outcome.applied) {
    prover?.takenUp(whole.last);
    logger.info(about, `projection ${keyOf(projection)} takes stream ${stream} up again`);
  } else refuse(reasonOf(outcome.cause));
  return standing;
};

/** Looks at the damaged streams, some at a time. */
export const createTakeUp = (parts: TakingUp, inTurn: (work: (place: Place) => Promise<Place>) => Promise<void>) => {
  let next = 0;
  /** Whoever exchanged the tables has kept damage of its own. */
  const checkTables = async (place: Place): Promise<Place> => {
    const { client, projection, switches } = parts.target;
    const now = await readCheckpoint(client, projection);
    if (now.switches !== switches) throw new OwnershipLost(`projection ${keyOf(projection)}: its tables are others`);
    return place;
  };

  return async (signal: AbortSignal): Promise<void> => {
    await inTurn(checkTables);
    const streams = [...(parts.target.prover?.damaged.keys() ?? [])];
    for (let n = 0; n < Math.min(AT_ONCE, streams.length); n++) {
      const stream = streams[next++ % streams.length];
      if (stream === undefined || signal.aborted) return;
      // Whoever looks at a stream that lacks its end waits for seconds: batches do not wait for him.
      if ((await brokenReason(parts.log, stream)) !== undefined) continue;
      await inTurn((place) => takeUp(parts, place, stream));
    }
  };
};
