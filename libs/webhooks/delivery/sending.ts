import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '#platform/postgres';
import { type Attempt, type AttemptGround, makeAttempt, tell } from './attempt.ts';
import { releaseLeases } from './finish.ts';
import { createOutcomes } from './outcomes.ts';
import type { InHand } from './rounds.ts';
import { createSlots, type Limits, type Room } from './slots.ts';
import { createWaiting } from './waiting.ts';

export type SendingParts = {
  readonly db: Queryable;
  readonly ground: AttemptGround;
  readonly limits: Limits;
  /** An endpoint has little left here: there is a point in claiming more. */
  readonly onRoom: () => void;
  /** Nothing at all waits here any more. */
  readonly onIdle: () => void;
};

/** What is claimed, from there until it is stored or given back. */
export type Sending = {
  readonly room: () => Room;
  readonly add: (claimed: readonly InHand[]) => void;
  readonly isIdle: () => boolean;
  /** Gives back what has not started, lets the rest end for so long, and breaks off what has not. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** Answered and not stored: with more of them nothing is claimed, until the database has caught up. */
const MOST_UNSTORED = 2_000;

export const createSending = ({ db, ground, limits, onRoom, onIdle }: SendingParts): Sending => {
  const { logger, metrics } = ground;
  const slots = createSlots(limits);
  const waiting = createWaiting(slots);
  const outcomes = createOutcomes(db, logger);
  const underWay = new Set<Promise<void>>();
  const breakingOff = new AbortController();

  const track = (work: Promise<void>): void => {
    const running = work.finally(() => underWay.delete(running));
    underWay.add(running);
  };

  const release = async (deliveries: readonly InHand[]): Promise<void> => {
    try {
      await releaseLeases(db, deliveries);
    } catch (error) {
      logger.warn({ err: error }, 'webhooks could not be given back: they come up again when their lease ends');
    }
  };

  const giveBack = (deliveries: readonly InHand[]): void => {
    for (const { endpoint } of deliveries) slots.untake(endpoint);
    if (deliveries.length > 0) track(release(deliveries));
  };

  const attempt = async (delivery: InHand): Promise<Attempt | undefined> => {
    try {
      const made = await makeAttempt(ground, delivery, breakingOff.signal);
      if (!made) track(release([delivery]));
      return made;
    } catch (error) {
      // The delivery comes up again when its lease ends, here or elsewhere.
      logger.warn({ err: error, delivery_id: delivery.id }, 'a webhook could not be attempted');
      return undefined;
    }
  };

  const run = async (delivery: InHand): Promise<void> => {
    const { endpoint } = delivery;
    const made = await attempt(delivery);
    slots.free(endpoint, made?.manner ?? 'failed');
    if (!slots.isQuick(endpoint)) giveBack(waiting.drop(endpoint));
    startAll();
    if (waiting.at(endpoint) < limits.perEndpoint) onRoom();
    if (made && (await outcomes.store(made.outcome))) tell(ground, delivery, made.outcome);
  };

  const startOne = (delivery: InHand): void => {
    // Too little of its lease is left for a whole attempt.
    if (performance.now() > delivery.startBy) giveBack([delivery]);
    else {
      slots.start(delivery.endpoint);
      track(run(delivery));
    }
  };

  const startAll = (): void => {
    for (let delivery = waiting.next(); delivery; delivery = waiting.next()) startOne(delivery);
    if (waiting.isEmpty()) onIdle();
    metrics?.inFlight(slots.inFlight());
  };

  const allEnded = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    room: () => (outcomes.unstored() < MOST_UNSTORED ? slots.room() : { ...slots.room(), room: 0 }),
    add: (claimed) => {
      for (const delivery of claimed) {
        slots.take(delivery.endpoint);
        waiting.add(delivery);
      }
      startAll();
    },
    isIdle: waiting.isEmpty,
    stop: async (graceMs) => {
      giveBack(waiting.dropAll());
      const ended = allEnded();
      const grace = new AbortController();
      await Promise.race([ended, delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
      grace.abort();
      breakingOff.abort();
      await ended;
    },
  };
};
