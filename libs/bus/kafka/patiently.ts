import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from '../backoff.ts';
import { RETRY } from './client.ts';

/** Errors of brokers that are about to be well: a coordinator still loading, a leader not yet chosen, a cut line. */
const willPass = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'retriable' in error && error.retriable === true;

/** For the questions that kafkajs does not ask again by itself; they must bear being asked twice. */
export const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
  const retry = backoff(RETRY.initialRetryTime, RETRY.maxRetryTime);
  for (let left = RETRY.retries; ; left -= 1) {
    try {
      return await ask();
    } catch (error) {
      if (left === 0 || !willPass(error)) throw error;
      await delay(retry.next());
    }
  }
};
