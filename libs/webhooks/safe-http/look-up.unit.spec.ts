import { lookup } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openNameServer } from '../testing/name-server.ts';
import { createWebhookClient } from './client.ts';
import { createLookUp, type LookUp } from './look-up.ts';

const open: (() => Promise<unknown>)[] = [];
let directory: string;
let hostsFile: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hosts-'));
  hostsFile = join(directory, 'hosts');
  await writeFile(
    hostsFile,
    '127.0.0.1 localhost\n# 10.0.0.1 off\n192.0.2.7\tPinned.Example pinned # by hand\n::1 pinned\n',
  );
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

afterAll(() => rm(directory, { recursive: true }));

const lookUpBy = async (answers: Parameters<typeof openNameServer>[0]): Promise<LookUp> => {
  const { server, close } = await openNameServer(answers);
  open.push(close);
  return createLookUp({ servers: [server], hostsFile });
};

const v4 = (...addresses: readonly string[]) => addresses.map((address) => ({ address, family: 4 }));

describe('a name is looked up', () => {
  it('by the name servers, with all its addresses', async () => {
    const lookUp = await lookUpBy({ 'partner.example': ['192.0.2.1', '192.0.2.2'] });
    expect(await lookUp('partner.example')).toEqual(v4('192.0.2.1', '192.0.2.2'));
    expect(await lookUp('Partner.Example.')).toEqual(v4('192.0.2.1', '192.0.2.2'));
  });

  it('by what is known soon, where a server says nothing of the other family', async () => {
    const { server, close } = await openNameServer({ 'partner.example': ['192.0.2.1'] }, { saysNothingOfV6: true });
    open.push(close);
    const start = performance.now();
    expect(await createLookUp({ servers: [server], hostsFile })('partner.example')).toEqual(v4('192.0.2.1'));
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  it('in the list of the machine first', async () => {
    const lookUp = await lookUpBy({ 'pinned.example': ['192.0.2.1'] });
    expect(await lookUp('PINNED.example')).toEqual(v4('192.0.2.7'));
    expect(await lookUp('pinned')).toEqual([...v4('192.0.2.7'), { address: '::1', family: 6 }]);
    await expect(lookUp('off')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('without leaving the machine where it is of the loopback', async () => {
    const { server, asked, close } = await openNameServer({});
    open.push(close);
    const lookUp = createLookUp({ servers: [server], hostsFile: join(directory, 'none') });
    expect(await lookUp('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
    expect(await lookUp('api.localhost')).toContainEqual({ address: '::1', family: 6 });
    expect(asked).toEqual([]);
  });

  it('in vain where nobody knows it or has an address for it', async () => {
    const lookUp = await lookUpBy({ 'empty.example': [] });
    for (const name of ['nobody.example', 'empty.example', `${'a'.repeat(64)}.example`])
      await expect(lookUp(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('in vain, for now, where no server answers', async () => {
    const lookUp = await lookUpBy({ 'slow.example': 'silence' });
    await expect(lookUp('slow.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  }, 20_000);
});

it('names whose servers do not answer hold up nobody else', async () => {
  const slow = Array.from({ length: 40 }, (_, i) => `${i}.slow.example`);
  const lookUp = await lookUpBy({
    ...Object.fromEntries(slow.map((name) => [name, 'silence'])),
    'quick.example': ['192.0.2.1'],
  });
  const client = createWebhookClient({ allowPrivate: true, resolve: lookUp });
  open.push(client.close);
  const attempts = slow.map((name) => client.post({ url: `http://${name}/`, headers: {}, body: '{}' }));
  const first = await Promise.race([
    ...attempts.map((attempt) => attempt.then(({ error }) => error)),
    // What the database's connections and the other webhooks wait for.
    Promise.all([lookup('localhost'), lookUp('quick.example')]),
  ]);
  expect(first).toEqual([expect.anything(), v4('192.0.2.1')]);
  const failures = new Set((await Promise.all(attempts)).map(({ error }) => error));
  expect([...failures].join()).toMatch(
    /^(Timeout: the connection was not made in time|The host name cannot be resolved now|,)+$/,
  );
}, 30_000);
