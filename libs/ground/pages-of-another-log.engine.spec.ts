import { setTimeout as later } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { LogUnavailable } from '#event-log';
import { exchangesPerTest } from './testing/exchanges.ts';

const { serve, running, create, anothersLog } = exchangesPerTest();

/** More than come in one page. */
const IDS = Array.from({ length: 620 }, (_, nth) => nth + 2);
const OTHERS = 5_000;

/** In which the connection is made anew by itself, and nobody asks meanwhile. */
const CONNECTED_ANEW_MS = 2_000;

it('whoever reads stream by stream is given nothing of another installation whose server comes between two pages', async () => {
  const theirs = await anothersLog(IDS.map((id) => id + OTHERS));
  const { log, port } = await running();
  for (const id of IDS) await create(log, id);
  const own = new Set([1, ...IDS].map(depositStream));
  const foreign: string[] = [];
  let pages = 0;
  const reading = async (): Promise<void> => {
    for await (const page of log.readByStream()) {
      pages += 1;
      foreign.push(...page.flatMap(({ stream }) => (own.has(stream) ? [] : stream)));
      if (pages > 1) continue;
      await serve(port, theirs);
      await later(CONNECTED_ANEW_MS);
    }
  };
  await expect(reading()).rejects.toThrow(LogUnavailable);
  expect([pages, foreign]).toEqual([1, []]);
}, 120_000);
