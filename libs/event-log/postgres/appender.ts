import type pg from 'pg';
import { type AppendOutcome, ConnectionLost, type EventToStore } from '../store.ts';
import { appendToStream } from './append-to-stream.ts';
import { appendTogether } from './append-together.ts';

type Waiting = {
  readonly stream: string;
  readonly revision: number;
  readonly event: EventToStore;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
};

/** Statements on their way at once: enough to keep the disk busy while the next ones gather. */
const LANES = 4;

/** One statement takes at most so many appends, and about so much data. */
const MOST_APPENDS = 128;
const MOST_CHARACTERS = 1_000_000;

const takeSome = (waiting: Waiting[]): Waiting[] => {
  let characters = 0;
  const count = waiting.findIndex((append, i) => {
    characters += append.event.data.length;
    return i > 0 && (i >= MOST_APPENDS || characters > MOST_CHARACTERS);
  });
  return waiting.splice(0, count < 0 ? waiting.length : count);
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
    for (const { stream, revision, event, resolve, reject } of taken)
      await appendToStream(pool, stream, revision - 1, [event]).then(resolve, reject);
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
    while (waiting.length > 0) await send();
    busy--;
  };

  const appendOne = (stream: string, revision: number, event: EventToStore): Promise<AppendOutcome> =>
    new Promise((resolve, reject) => {
      waiting.push({ stream, revision, event, resolve, reject });
      if (busy < LANES) void runLane();
    });

  return (stream: string, after: number, events: readonly EventToStore[]): Promise<AppendOutcome> => {
    const [event] = events;
    return event && events.length === 1
      ? appendOne(stream, after + 1, event)
      : appendToStream(pool, stream, after, events);
  };
};
