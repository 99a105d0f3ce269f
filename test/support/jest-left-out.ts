import { it } from '@jest/globals';

type Test = (name: string, run: () => Promise<void>, timeout?: number) => void;

/** A test that this machine may be unable to run. Where it is, `npm test` names it and the reason in its last lines. */
export const itWhere = (possible: boolean, reason: string): Test =>
  possible
    ? (name, run, timeout) => it(name, run, timeout)
    : (name, run, timeout) => it.skip(`${name} (${reason})`, run, timeout);
