import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpServer } from './server.ts';

const open: (() => unknown)[] = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
});

const connectedTo = async (server: Server): Promise<Socket> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  open.push(
    () => socket.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return socket;
};

const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** More than two kernels keep for a connection. */
const LARGE = Buffer.alloc(20_000_000, 'x');

describe('a connection whose other side does not read', () => {
  it('has one answer made at a time', async () => {
    let asked = 0;
    const socket = await connectedTo(
      createHttpServer((_, response) => {
        asked += 1;
        response.end(LARGE);
      }),
    );
    socket.pause().write(ask.repeat(20));
    await later(300);
    expect(asked).toBe(1);
    let received = 0;
    socket.on('data', (bytes) => {
      received += bytes.length;
    });
    socket.resume();
    while (received < 20 * LARGE.length) await later(10);
    expect(asked).toBe(20);
  });

  it('is closed after a while', async () => {
    const server = createHttpServer((_, response) => response.end(LARGE), { unreadMs: 200 });
    const socket = await connectedTo(server);
    const [accepted] = (await Promise.all([once(server, 'connection'), socket.pause().write(ask)]))[0];
    await once(accepted, 'close');
  });
});

describe('a connection that waits for its answer', () => {
  const slowly: RequestListener = (_, response) => void later(700).then(() => response.end('at last'));

  it('is kept, however long that takes', async () => {
    const socket = await connectedTo(createHttpServer(slowly, { unreadMs: 100 }));
    socket.write(ask);
    const [bytes] = await once(socket, 'data');
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('requests that wait for their turn on a connection', () => {
  const never: RequestListener = () => undefined;
  const post = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n${' '.repeat(60_000)}`);

  it('are read no further than they came at once', async () => {
    const server = createHttpServer(never);
    const socket = await connectedTo(server);
    const [accepted]: [Socket] = (await once(server, 'connection')) as [Socket];
    for (let nth = 0; nth < 32; nth += 1) socket.write(post);
    await later(500);
    expect(accepted.bytesRead).toBeLessThanOrEqual(4 * 65_536);
  });

  it('go on where the bodies before them are read', async () => {
    let asked = 0;
    const server = createHttpServer((request, response) => {
      asked += 1;
      request.resume().once('end', () => void later(5).then(() => response.end()));
    });
    const socket = await connectedTo(server);
    for (let nth = 0; nth < 100; nth += 1) socket.write(post);
    while (asked < 100) await later(10);
  });

  it('are counted also where they expect what nobody does', async () => {
    const socket = await connectedTo(createHttpServer(never));
    socket.resume().write(ask + ask.replace('Host', 'Expect: miracles\r\nHost').repeat(40));
    await once(socket, 'close');
  });

  it('are bounded in all for one address', async () => {
    const server = createHttpServer(never);
    const first = await connectedTo(server);
    const { port } = server.address() as AddressInfo;
    const others = Array.from({ length: 99 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    open.push(() => {
      for (const socket of others) socket.destroy();
    });
    let closed = 0;
    for (const socket of [first, ...others]) {
      socket.once('close', () => {
        closed += 1;
      });
      socket.resume().write(ask.repeat(32));
    }
    while (closed < 50) await later(20);
    await later(300);
    expect(closed).toBeLessThan(70);
  });
});

describe('a request that asks for another protocol', () => {
  it.each([
    ['GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n'],
    ['POST / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n\r\nx'],
  ])('has its answer, and its connection is closed, since what came behind it may be lost: %j', async (upgrade) => {
    const socket = await connectedTo(createHttpServer((_, response) => response.end()));
    let answers = '';
    socket.on('data', (bytes) => {
      answers += String(bytes);
    });
    socket.write(ask + upgrade + ask);
    await once(socket, 'close');
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(answers.match(/connection: close/gi)).toHaveLength(1);
  });
});
