import { createMemory, type MemoryOptions } from './memory.ts';

export type Remembered<T> = {
  readonly get: () => Promise<T>;
  /** After a change that this instance made: the next look goes to the store. */
  readonly forget: () => void;
};

/** One answer of the database, for all who ask within its time. */
export const remember = <T>(load: () => Promise<T>, options: Omit<MemoryOptions, 'max'> = {}): Remembered<T> => {
  const { look, forget } = createMemory<T>({ ...options, max: 1 });
  return { get: () => look('the one', load), forget };
};
