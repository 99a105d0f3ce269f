import { describe, it } from '@jest/globals';

type Test = (name: string, run: () => Promise<void>, timeout?: number) => void;

/** A test that this machine may be unable to run. Where it is, `npm test` names it and the reason in its last lines. */
export const itWhere = (possible: boolean, reason: string): Test =>
  possible
    ? (name, run, timeout) => it(name, run, timeout)
    : (name, run, timeout) => it.skip(`${name} (${reason})`, run, timeout);

/** The same for tests that belong together. */
export const describeWhere = (possible: boolean, reason: string) => (name: string, tests: () => void) =>
  possible ? describe(name, tests) : describe.skip(`${name} (${reason})`, tests);

/** A reason that CI accepts: somebody gave a server for the tests to use, not to kill. */
export const notOurs = (setting: string): string => `${setting} is set: a server that is not ours is not killed`;
