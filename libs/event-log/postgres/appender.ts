import { setImmediate as immediate } from 'node:timers/promises';
import type pg from 'pg';
import { type AppendOutcome, ConnectionLost, type EventToStore } from '../store.ts';
import { appendToStream } from './append-to-stream.ts';
import { appendTogether, type PlacedAppend } from './append-together.ts';

type Waiting = PlacedAppend & {
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
};

/** Statements on their way at once: enough to keep the disk busy while the next ones gather. */
const LANES = 4;

/** One statement takes at most so many appends, and about so much data. */
const MOST_APPENDS = 128;
const MOST_CHARACTERS = 1_000_000;

const isOne = ({ events }: PlacedAppend): boolean => events.length === 1;

/** Appends of one event share with their like: what refuses those of several leaves them alone. */
const takeSome = (waiting: Waiting[]): Waiting[] => {
  const [oldest] = waiting;
  const taken: Waiting[] = [];
  let characters = 0;
  for (let i = 0; oldest && i < waiting.length && taken.length < MOST_APPENDS; ) {
    const append = waiting[i];
    if (!append || isOne(append) !== isOne(oldest)) {
      i++;
      continue;
    }
    for (const { data } of append.events) characters += data.length;
    if (taken.length > 0 && characters > MOST_CHARACTERS) break;
    taken.push(append);
    waiting.splice(i, 1);
  }
  return taken;
};

/**
 * Sends an append at once while a lane is free; those that come while all are busy go together in the next statement.
 * Nobody waits for company, and many writers cost few round trips and few commits.
 */
export const createAppender = (pool: pg.Pool) => {
  const waiting: Waiting[] = [];
  let busy = 0;

  /** What the server refused as a whole is tried one by one: what no statement can hold concerns its own writer alone. */
  const sendAlone = async (taken: readonly Waiting[]): Promise<void> => {
    for (const { stream, first, events, resolve, reject } of taken)
      await appendToStream(pool, stream, first - 1, events).then(resolve, reject);
  };

  const send = async (): Promise<void> => {
    const taken = takeSome(waiting);
    try {
      const outcomes = await appendTogether(pool, taken);
      for (const [i, { resolve, reject }] of taken.entries()) outcomes[i]?.then(resolve, reject);
      await Promise.allSettled(outcomes);
    } catch (error) {
      if (error instanceof ConnectionLost) for (const { reject } of taken) reject(error);
      else await sendAlone(taken);
    }
  };

  const runLane = async (): Promise<void> => {
    busy++;
    while (waiting.length > 0) {
      // What the same turn of the event loop brings goes along.
      await immediate();
      if (waiting.length > 0) await send();
    }
    busy--;
  };

  return (stream: string, after: number, events: readonly EventToStore[]): Promise<AppendOutcome> =>
    new Promise((resolve, reject) => {
      waiting.push({ stream, first: after + 1, events, resolve, reject });
      if (busy < LANES) void runLane();
    });
};
