import { setTimeout as delay } from 'node:timers/promises';
import { growingPause } from '#platform/pause';
import { RETRY } from './client.ts';

/** Errors of brokers that are about to be well: a coordinator still loading, a leader not yet chosen, a cut line. */
const willPass = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'retriable' in error && error.retriable === true;

const pauseAfter = growingPause({
  firstMs: RETRY.initialRetryTime,
  mostMs: RETRY.maxRetryTime,
  scatter: RETRY.factor,
});

/** For the questions that kafkajs does not ask again by itself; they must bear being asked twice. */
export const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (failures === RETRY.retries || !willPass(error)) throw error;
      await delay(pauseAfter(failures));
    }
  }
};
