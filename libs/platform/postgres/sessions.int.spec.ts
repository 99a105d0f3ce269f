import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { createNotifier, listen, OwnershipLost, whileOwner } from './index.ts';

let database: FreshDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // `end` does not wait for the sockets: dropping the database may still catch one.
  pool.on('error', () => undefined);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const kill = async (name: string): Promise<void> => {
  await pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
    [name],
  );
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await delay(5);
};

describe('one owner at a time', () => {
  it('works until it is told to stop; the next one begins after it', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const told: string[] = [];
    const own = (who: string, { signal }: AbortController) =>
      whileOwner({ name: 'till', pool, signal, onStandby: () => told.push(`${who} waits`) }, async (_, over) => {
        told.push(`${who} owns`);
        await new Promise((resolve) => over.addEventListener('abort', resolve));
        return who;
      });
    const one = own('one', first);
    await until(() => told.length === 2);
    const two = own('two', second);
    await until(() => told.length === 3);
    first.abort();
    expect(await one).toBe('one');
    await until(() => told.length === 4);
    second.abort();
    await two;
    expect(told).toEqual(['one waits', 'one owns', 'two waits', 'two owns']);
  });

  it('does not work when it is told to stop before its turn', async () => {
    const [owning, waiting] = [new AbortController(), new AbortController()];
    const owner = whileOwner({ name: 'desk', pool, signal: owning.signal }, async (_, over) => {
      waiting.abort();
      expect(await whileOwner({ name: 'desk', pool, signal: waiting.signal }, async () => 'it')).toBeUndefined();
      owning.abort();
      return over.aborted;
    });
    expect(await owner).toBe(true);
  });

  it('is told when its connection is gone, and has nothing left to write with', async () => {
    const { signal } = new AbortController();
    const refused = Promise.withResolvers<unknown>();
    const owner = whileOwner({ name: 'safe', pool, signal }, async (client, over) => {
      const gone = new Promise((resolve) => over.addEventListener('abort', resolve));
      await kill('safe');
      await gone;
      await client.query('SELECT 1').catch(refused.resolve);
    });
    await expect(owner).rejects.toThrow(OwnershipLost);
    expect(await refused.promise).toBeInstanceOf(Error);
  });
});

describe('whoever listens', () => {
  it('hears what is told, and after a lost connection knows that it heard nothing for a while', async () => {
    const heard: string[] = [];
    let listening = 0;
    const listener = listen({
      pool,
      name: 'listener',
      channel: 'till_moved',
      onListening: () => {
        listening += 1;
      },
      onNotice: (payload) => heard.push(payload),
    });
    const { notify, close } = createNotifier(pool, 'till_moved');
    for (const payload of ['one', 'two']) {
      await until(() => listening === heard.length + 1);
      notify(payload);
      await until(() => heard.at(-1) === payload);
      await kill('listener');
    }
    await close();
    await until(() => listening === 3);
    await listener.stop();
    expect(heard).toEqual(['one', 'two']);
  });

  it('is told the last of what came together, and each matter for itself', async () => {
    const heard: string[] = [];
    const ready = Promise.withResolvers<unknown>();
    const listener = listen({
      pool,
      name: 'another listener',
      channel: 'till_counted',
      onListening: ready.resolve,
      onNotice: (payload) => heard.push(payload),
    });
    await ready.promise;
    const { notify } = createNotifier(pool, 'till_counted', 5);
    notify('first', 'till');
    for (const payload of ['second', 'third']) notify(payload, 'till');
    notify('of the desk');
    await until(() => heard.length >= 3);
    await listener.stop();
    expect(heard).toEqual(['first', 'third', 'of the desk']);
  });
});
