import { expect, it } from '@jest/globals';
import type { DepositEvent } from '#deposits';
import { history, issue, seen } from '#deposits/testing';
import { migrations, openPostgresEventLog } from '#event-log/postgres';
import { databasePerTest } from '../../test/support/with-database.ts';
import { signalsInOrder } from './signals-in-order.ts';
import { newEvents } from './write.ts';

const database = databasePerTest(migrations);

const STREAM = 'deposit-1';
const [event] = history(issue()) as readonly [DepositEvent];

/** Whoever takes longer than for so many always finds that somebody else was first. */
const QUICK_ENOUGH = 4;

it('Many signals for one that others write to all the while are taken, fewer at once, and each of them once', async () => {
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  let inThisRun = 0;
  const append: typeof log.append = async (...asked) => {
    const appended = await log.append(...asked);
    inThisRun = 0;
    return appended;
  };
  const subject = {
    ...{ log: { append }, stream: STREAM, setAsideStream: 'aside-1', actor: 'engine' },
    load: async () => {
      inThisRun = 0;
      const revisions = await Array.fromAsync(log.read(STREAM), ({ revision }) => revision);
      return { state: 0, revision: revisions.at(-1) ?? ('no_stream' as const) };
    },
    decide: async () => {
      inThisRun += 1;
      if (inThisRun > QUICK_ENOUGH) await log.append(STREAM, 'any', newEvents([event], 'somebody else'));
      return { outcome: 'applied', events: [event] } as const;
    },
    evolve: (state: number) => state + 1,
  };
  const signals = Array.from({ length: 40 }, () => seen());
  const results = await signalsInOrder(subject, signals);
  expect(results.map(({ outcome }) => outcome)).toEqual(signals.map(() => 'applied'));
  const actors = await Array.fromAsync(log.read(STREAM), ({ metadata }) => metadata.actor);
  expect(actors.filter((actor) => actor === 'engine')).toHaveLength(signals.length);
}, 60_000);
