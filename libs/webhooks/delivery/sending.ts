import { endsWithin } from '#platform/pause';
import type { Queryable } from '#platform/postgres';
import { type Attempt, type AttemptParts, makeAttempt, tell } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { createExposure } from './exposure.ts';
import { releaseLeases } from './finish.ts';
import type { Limits } from './limits.ts';
import { createOutcomes } from './outcomes.ts';
import type { Room } from './room.ts';
import { createSlots, type Started } from './slots.ts';
import type { Manner } from './standings.ts';
import { createWaiting } from './waiting.ts';

export type SendingParts = {
  readonly db: Queryable;
  readonly parts: AttemptParts;
  readonly limits: Limits;
  /** False: whatever starts now, somebody else may start too. */
  readonly maySend: () => boolean;
  /** An endpoint has little left here: there is a point in claiming more. */
  readonly onRoom: () => void;
  /** A third of what waited here after the last claim has started: the next claim takes its time too. */
  readonly onLow: () => void;
};

/** What is claimed, from there until it is stored or given back. */
export type Sending = {
  readonly room: () => Room;
  readonly add: (claimed: readonly Claimed[]) => void;
  readonly isLow: () => boolean;
  /** Starts what waited until it may send. */
  readonly goOn: () => void;
  /** What waits here is another's by now. */
  readonly forget: () => void;
  /** Gives back what has not started, lets the rest end for so long, and breaks off what has not. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** Answered and not stored: with more of them nothing is claimed, until the database has caught up. */
const MOST_UNSTORED = 2_000;

export const createSending = ({ db, parts, limits, maySend, onRoom, onLow }: SendingParts): Sending => {
  const { logger, metrics } = parts;
  const slots = createSlots(limits);
  const waiting = createWaiting(slots);
  const outcomes = createOutcomes(db, logger);
  const exposure = createExposure(limits.exposure, () => startAll(waiting.next));
  const underWay = new Set<Promise<void>>();
  const breakingOff = new AbortController();

  let stock = 0;
  const isLow = (): boolean => waiting.count() * 3 <= stock * 2;

  const track = (work: Promise<void>): void => {
    const running = work.finally(() => underWay.delete(running));
    underWay.add(running);
  };

  const release = async (deliveries: readonly Claimed[]): Promise<void> => {
    try {
      await releaseLeases(db, deliveries);
    } catch (error) {
      logger.warn({ err: error }, 'webhooks could not be given back: they come up again when their lease ends');
    }
  };

  const untake = (deliveries: readonly Claimed[]): void => {
    for (const delivery of deliveries) slots.untake(delivery);
  };

  const giveBack = (deliveries: readonly Claimed[]): void => {
    untake(deliveries);
    if (deliveries.length > 0) track(release(deliveries));
  };

  const attempt = async (delivery: Claimed): Promise<Attempt | undefined> => {
    try {
      const made = await makeAttempt(parts, delivery, breakingOff.signal);
      if (!made) track(release([delivery]));
      return made;
    } catch (error) {
      // The delivery comes up again when its lease ends, here or elsewhere.
      logger.warn({ err: error, delivery_id: delivery.id }, 'a webhook could not be attempted');
      return undefined;
    }
  };

  const freePlace = (endpoint: string, started: Started, manner: Manner | undefined): void => {
    started.free(manner);
    if (!slots.isQuick(endpoint)) giveBack(waiting.drop(endpoint));
    // A place of this endpoint alone is looked for there alone, however many endpoints there are.
    startAll(slots.isTight() ? waiting.next : () => waiting.nextOf(endpoint));
    // One that fails waits for the next look: at once, it would be claimed for as fast as it refuses.
    if (manner !== 'failed' && waiting.at(endpoint) < limits.perEndpoint) onRoom();
  };

  /** While it hangs, nothing waits here for its endpoint, and others have its place. */
  const leaveHanging = (endpoint: string, started: Started): void => {
    started.hang();
    giveBack(waiting.drop(endpoint));
    startAll(waiting.next);
    onRoom();
  };

  const run = async (delivery: Claimed, started: Started): Promise<void> => {
    const exposed = exposure.begin();
    const overdue = setTimeout(() => leaveHanging(delivery.endpoint, started), limits.quickMs);
    const made = await attempt(delivery);
    clearTimeout(overdue);
    exposed.answered();
    const stored = made && outcomes.store(made.outcome);
    freePlace(delivery.endpoint, started, made?.manner);
    if (slots.inFlight() === 0 || exposure.isFull()) outcomes.hurry();
    const choked = outcomes.unstored() >= MOST_UNSTORED;
    const isKept = await stored;
    exposed.stored();
    if (made && isKept) tell(parts, delivery, made.outcome);
    if (choked) onRoom();
  };

  const startOne = (delivery: Claimed): void => track(run(delivery, slots.start(delivery)));

  const startAll = (next: () => Claimed | undefined): void => {
    while (maySend() && !exposure.isFull()) {
      const delivery = next();
      if (!delivery) break;
      startOne(delivery);
    }
    if (isLow()) onLow();
    metrics?.inFlight(slots.inFlight());
  };

  const allEnded = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    room: () => (outcomes.unstored() < MOST_UNSTORED ? slots.room() : { ...slots.room(), room: 0 }),
    add: (claimed) => {
      for (const delivery of claimed) {
        slots.take(delivery);
        waiting.add(delivery);
      }
      startAll(waiting.next);
      stock = waiting.count();
    },
    isLow,
    goOn: () => startAll(waiting.next),
    forget: () => untake(waiting.dropAll()),
    stop: async (graceMs) => {
      giveBack(waiting.dropAll());
      const ended = allEnded();
      await endsWithin(ended, graceMs);
      breakingOff.abort();
      await ended;
    },
  };
};
