import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { connect, event, failure, PLAIN, readIds, until } from './support/client.ts';

let child: ChildProcess;
let url: string;
let control: string;

beforeAll(async () => {
  const [port, controlPort] = [await freePort(), await freePort()];
  url = `esdb://127.0.0.1:${port}?tls=false`;
  control = `http://127.0.0.1:${controlPort}`;
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const args = [main, '--port', String(port), '--control-port', String(controlPort)];
  child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout) await once(child.stdout, 'data');
});

afterAll(async () => {
  child.kill('SIGTERM');
  await once(child, 'exit');
});

const post = async (path: string, body: object = {}) => {
  const response = await fetch(control + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

describe('the control port', () => {
  it('sets faults of a stand-in in another process', async () => {
    const client = connect(url);
    expect(await post('/faults', { failAppend: 1 })).toMatchObject({
      status: 200,
      body: { failAppend: 1, delayMs: 0 },
    });
    expect(await failure(client.appendToStream('a', event(), PLAIN))).toMatchObject({ code: 14 });
    await client.dispose();
  });

  it('cuts connections', async () => {
    const client = connect(url);
    await post('/faults', { holdAnswers: true });
    const append = failure(client.appendToStream('b', event(), PLAIN));
    const reader = connect(url);
    const isThere = () =>
      readIds(reader, 'b').then(
        (ids) => ids.length === 1,
        () => false,
      );
    // One that is not there yet would not be cut, and wait for its answer from then on.
    await until(isThere);
    expect(await post('/cut')).toMatchObject({ status: 200 });
    expect(await append).toMatchObject({ code: 14 });
    await fetch(`${control}/faults`, { method: 'DELETE' });
    await Promise.all([client.dispose(), reader.dispose()]);
  });

  it('refuses what it does not know', async () => {
    expect(await post('/faults', { liveBufer: 32 })).toMatchObject({ status: 400 });
    expect(await post('/stop')).toMatchObject({ status: 400 });
  });
});
