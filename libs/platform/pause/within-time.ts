import { pause } from './pause.ts';

/** Whether `work` ends in time; it goes on either way. */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const over = new AbortController();
  try {
    return await Promise.race([work.then(() => true), pause(ms, over.signal).then(() => false)]);
  } finally {
    over.abort();
  }
};

/** Throws where it does not. */
export const withinTime = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  if (!(await endsWithin(work, ms))) throw new Error(`no answer within ${ms} ms`);
  return work;
};
