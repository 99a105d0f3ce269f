import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLifecycle } from '#platform/lifecycle';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { createHttpApp, drainOnStop, listen } from './index.ts';
import { SampleModule } from './testing/sample.module.ts';

const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const serve = async (port = 0, boundMs?: number) => {
  const app = await createHttpApp([SampleModule], { logger: silentLogger, metrics: createMetrics() });
  stops.push(() => app.close());
  const base = await listen(app, { host: '127.0.0.1', port });
  const lifecycle = createLifecycle({ logger: silentLogger });
  drainOnStop(app, lifecycle, boundMs);
  return { app, base, lifecycle };
};

const request = (url: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response));
    }).on('error', reject);
  });

describe('a server that stops', () => {
  it('finishes what is under way and refuses new connections', async () => {
    const { base, lifecycle } = await serve();
    const underWay = fetch(`${base}/sample/slow/150`);
    await fetch(`${base}/sample/slow/1`);
    const stopped = lifecycle.stop('test');
    await new Promise((resolve) => setImmediate(resolve));
    await expect(request(`${base}/sample/slow/1`, new Agent())).rejects.toThrow('ECONNREFUSED');
    expect(await (await underWay).json()).toEqual({ slept: '150' });
    await stopped;
  });

  it('still answers a request that is on its way over an idle connection, and says that it was the last', async () => {
    const { base, lifecycle } = await serve();
    const agent = new Agent({ keepAlive: true });
    await request(`${base}/sample/slow/1`, agent);
    const stopped = lifecycle.stop('test');
    await new Promise((resolve) => setImmediate(resolve));
    const last = await request(`${base}/sample/slow/1`, agent);
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await stopped;
    agent.destroy();
  });

  it('is not held up by connections that their callers keep alive', async () => {
    const { base, lifecycle } = await serve();
    const [idle, busy] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    await request(`${base}/sample/slow/1`, idle);
    const underWay = request(`${base}/sample/slow/100`, busy);
    await request(`${base}/sample/slow/1`, idle);
    const before = performance.now();
    await Promise.all([lifecycle.stop('test'), underWay]);
    expect(performance.now() - before).toBeLessThan(2_000);
    for (const agent of [idle, busy]) agent.destroy();
  });

  it('waits no longer than its bound', async () => {
    const { base, lifecycle } = await serve(0, 100);
    const endless = request(`${base}/sample/slow/20000`, new Agent()).catch((error: Error) => error.message);
    await fetch(`${base}/sample/slow/1`);
    const before = performance.now();
    await lifecycle.stop('test');
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(await endless).toMatch(/socket hang up|ECONNRESET/);
  });
});

describe('an app that is closed', () => {
  it('is not held up by an answer that nobody reads', async () => {
    const { app, base } = await serve();
    const unread = await fetch(`${base}/sample/large`);
    const before = performance.now();
    await app.close();
    expect(performance.now() - before).toBeLessThan(2_000);
    await expect(unread.text()).rejects.toThrow('terminated');
  });
});

describe('a place that cannot be had', () => {
  it('is told with the setting to change', async () => {
    const { base } = await serve();
    const port = Number(new URL(base).port);
    await expect(serve(port)).rejects.toThrow(`PORT ${port} on 127.0.0.1 is taken by another process: set PORT`);
  });

  it('names HOST when the address is not of this machine', async () => {
    const app = await createHttpApp([SampleModule], { logger: silentLogger, metrics: createMetrics() });
    stops.push(() => app.close());
    await expect(listen(app, { host: '192.0.2.1', port: 0 })).rejects.toThrow('HOST 192.0.2.1 is not an address');
  });
});
