import { setTimeout as later } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { addressOf, isThisMachine } from './address-of.ts';

/** So many at once are somebody's mistake, or his tests; they are forgotten at one a second. */
const FREE = 300;
const STEP_MS = 50;
const MOST_MS = 2_000;
/** Answers held back for one address; each holds a connection. */
const MOST_WAITING = 32;
const MOST_ADDRESSES = 10_000;

type Failed = { failures: number; at: number; waiting: number };

export type FailedCredentials = {
  /** Resolves when the 401 may go out. */
  readonly hold: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
};

/**
 * Who tries credentials waits for each answer, the longer the more of them failed from his address, over whatever
 * connections. What succeeds is never held back, so others behind the same address notice nothing.
 */
export const createFailedCredentials = (now: () => number = () => performance.now()): FailedCredentials => {
  const known = new LRUCache<string, Failed>({ max: MOST_ADDRESSES });

  const failedAt = (address: string): Failed => {
    const { failures = 0, at = now(), waiting = 0 } = known.get(address) ?? {};
    const failed = { failures: Math.max(0, failures - (now() - at) / 1_000) + 1, at: now(), waiting };
    known.set(address, failed);
    return failed;
  };

  return {
    hold: async (request, reply) => {
      const address = addressOf(request);
      // Behind a proxy that does not say for whom it calls all would wait for the failures of one.
      if (isThisMachine(address)) return;
      const { failures, waiting } = failedAt(address);
      const pauseMs = Math.min(MOST_MS, (failures - FREE) * STEP_MS);
      if (pauseMs <= 0) return;
      if (waiting >= MOST_WAITING) {
        void reply.header('connection', 'close');
        return;
      }
      const step = (by: 1 | -1): void => {
        const failed = known.peek(address);
        if (failed) failed.waiting = Math.max(0, failed.waiting + by);
      };
      step(1);
      await later(pauseMs, undefined, { ref: false });
      step(-1);
    },
  };
};
