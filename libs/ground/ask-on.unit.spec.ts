import { afterEach, expect, it } from '@jest/globals';
import { createLog } from '#platform/logging';
import { askOn } from './ask-on.ts';

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const each of undo.splice(0)) await each();
});

it('A log that cannot say for long whose it is is told of, once and with the reason', async () => {
  const told: Readonly<Record<string, unknown>>[] = [];
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void told.push(JSON.parse(line)) } });
  const lifecycle = {
    onStop: (_: string, __: string, stop: () => unknown) => {
      undo.push(stop);
      return () => undefined;
    },
  };
  let asked = 0;
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    asked += 1;
    if (asked === 4) resolve();
    throw new Error(`not yet ${asked}`);
  };
  askOn({ lifecycle, logger, onAnotherLog: () => undefined }, work, 100);
  await enough;
  expect(told).toEqual([expect.objectContaining({ reason: 'not yet 2', msg: expect.stringContaining('whose it is') })]);
});
