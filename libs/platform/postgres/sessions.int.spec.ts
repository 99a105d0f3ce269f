import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { createNotifier, listen, OwnershipLost, whileOwner } from './index.ts';
import { createSilenceWatch } from './silence.ts';

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

describe('an owner that others wait for', () => {
  const LONG_MS = 13_000;

  /** Takes the lock as an owner does, and says nothing more: no kernel of a frozen process does. */
  const freeze = async (name: string, ...begun: readonly string[]) => {
    const client = new pg.Client({ connectionString: database.url, application_name: name });
    const gone = new Promise((resolve) => client.once('end', resolve));
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    for (const each of begun) await client.query(each);
    return { client, gone };
  };

  const takesOver = async (name: string): Promise<number> => {
    const start = performance.now();
    const { signal } = new AbortController();
    await whileOwner({ name, pool, signal }, async () => undefined);
    return performance.now() - start;
  };

  it('is ended when it is silent for ten seconds, also in the middle of a transaction or of its rows', async () => {
    await pool.query('CREATE TABLE pledges (name text)');
    const [idle, midway, copying] = [
      await freeze('a frozen till'),
      await freeze('a frozen desk', 'BEGIN', "INSERT INTO pledges VALUES ('half')"),
      await freeze('a frozen safe'),
    ];
    void copying.client.query('COPY pledges FROM STDIN').catch(() => undefined);
    const waits = await Promise.all(['a frozen till', 'a frozen desk', 'a frozen safe'].map(takesOver));
    expect(Math.min(...waits)).toBeGreaterThan(7_000);
    expect(Math.max(...waits)).toBeLessThan(LONG_MS);
    await Promise.all([idle, midway, copying].map(({ gone }) => gone));
    expect((await pool.query('SELECT FROM pledges')).rowCount).toBe(0);
  });

  it('is left alone when the server stood still with it, and it speaks before it is looked at again', async () => {
    const { client } = await freeze('a late one');
    const endSilent = createSilenceWatch(pool, 'a late one');
    await delay(8_500);
    const looks = [await endSilent()];
    await client.query('SELECT');
    await delay(2_100);
    looks.push(await endSilent());
    expect(looks).toEqual([0, 0]);
    await client.end();
  });

  it('is left alone while it lives, whatever it does or does not do with its connection', async () => {
    const lost: string[] = [];
    const own = (name: string, work: (client: pg.Client) => Promise<unknown>) => {
      const stopping = new AbortController();
      const rival = { name, pool, signal: stopping.signal };
      return whileOwner(rival, async (client, over) => {
        const standby = whileOwner(rival, async () => lost.push(name));
        await Promise.all([work(client), delay(LONG_MS)]);
        if (over.aborted) lost.push(name);
        stopping.abort();
        await standby;
      });
    };
    await Promise.all([
      own('a quiet one', async () => undefined),
      own('one with a long statement', (client) => client.query(`SELECT pg_sleep(${LONG_MS / 1_000})`)),
      own('one with a long transaction', (client) => client.query('BEGIN')),
    ]);
    expect(lost).toEqual([]);
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
