import type { ToldInLog } from '../told/in-log.ts';

/** A log in which nobody told anything of a payment. */
export const nothingTold: ToldInLog = {
  head: async () => undefined,
  async *since() {},
  of: async () => ({ addresses: [], facts: [] }),
};
