import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventLog, verifyChain } from '#event-log';

export type ServerToSpare = {
  readonly url: string;
  readonly open: () => Promise<EventLog>;
  readonly crash: (() => Promise<void>) | undefined;
  readonly stop: () => Promise<void>;
};

const LANES = 4;
const STREAMS_A_LANE = 4;
const KILLS = 200;
/** Every so many kills of a writer the server is killed too. */
const CRASH_EVERY = 20;
/** A life is at most so long after its first acknowledgement. */
const LIFE_MS = 120;

const appender = fileURLToPath(new URL('appender.ts', import.meta.url));

/** None of them outlives the test, whatever became of it. */
const living = new Set<ChildProcess>();

/** One life: starts, appends, is killed at a moment that nobody chose. Notes what was acknowledged. */
const liveAndDie = async (store: string, url: string, acknowledged: Map<string, number>): Promise<void> => {
  const places = [...acknowledged].map(([stream, revision]) => `${stream}=${revision}`);
  const args = ['--conditions=source', '--disable-warning=ExperimentalWarning', appender, store, url, ...places];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  living.add(child);
  const ended = once(child, 'exit').finally(() => living.delete(child));
  const lines = createInterface(child.stdout);
  const closed = once(lines, 'close');
  lines.on('line', (line) => {
    const [stream = '', revision] = line.split(' ');
    acknowledged.set(stream, Number(revision));
  });
  await Promise.race([once(lines, 'line'), ended]);
  await delay(Math.random() * LIFE_MS);
  child.kill('SIGKILL');
  const [code, signal] = await ended;
  await closed;
  if (signal !== 'SIGKILL') throw new Error(`the appender ended by itself with code ${code}`);
};

export const describeKills = (name: string, store: string, start: () => Promise<ServerToSpare>): void => {
  describe(`${KILLS} kills amid appends to ${name}`, () => {
    let server: ServerToSpare;

    beforeAll(async () => {
      server = await start();
    }, 60_000);

    afterAll(async () => {
      for (const child of living) child.kill('SIGKILL');
      await server.stop();
    }, 60_000);

    it('lose and double nothing', async () => {
      const run = randomBytes(6).toString('hex');
      const lanes = Array.from(
        { length: LANES },
        (_, lane) => new Map(Array.from({ length: STREAMS_A_LANE }, (_, i) => [`kills-${run}-${lane}-${i}`, -1])),
      );
      let kills = 0;
      const liveOn = async (acknowledged: Map<string, number>): Promise<void> => {
        while (kills < KILLS) {
          kills++;
          const crash = kills % CRASH_EVERY === 0 ? server.crash : undefined;
          await Promise.all([liveAndDie(store, server.url, acknowledged), crash?.()]);
        }
      };
      await Promise.all(lanes.map(liveOn));
      const log = await server.open();
      for (const [stream, last] of lanes.flatMap((lane) => [...lane])) {
        const events = await Array.fromAsync(log.read(stream));
        expect(events.map((event) => event.data)).toEqual(events.map((_, n) => ({ n })));
        expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
        // Nothing acknowledged is missing; at most one append was written without its answer being heard.
        expect(events.length - 1).toBeGreaterThanOrEqual(last);
        expect(events.length - 1).toBeLessThanOrEqual(last + 2);
        expect(await verifyChain(events)).toBe(events.length);
      }
      expect(kills).toBeGreaterThanOrEqual(KILLS);
      await log.close();
    }, 600_000);
  });
};
