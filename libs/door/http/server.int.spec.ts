import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { answerBrokenHttp } from './broken-http.ts';
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

describe.each([
  ['a tunnel is asked for', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 'connect', 404],
  ['bytes come that are no HTTP', 'NONSENSE\r\n\r\n', 'clientError', 400],
])('a connection on which %s behind a call', (_case, bytes, event, status) => {
  const asked = async (server: Server): Promise<readonly [socket: Socket, accepted: Socket]> => {
    server.on('clientError', answerBrokenHttp);
    const socket = await connectedTo(server);
    socket.pause().write(ask + bytes);
    const [accepted] = (await once(server, 'connection')) as [Socket];
    await new Promise((resolve) => server.once(event, resolve));
    return [socket, accepted];
  };

  it('ends alone where the other side breaks it before the answer', async () => {
    const [socket, accepted] = await asked(createHttpServer(() => undefined));
    socket.resetAndDestroy();
    while (!accepted.closed) await later(10);
  });

  it('ends alone where the other side breaks it within the answer', async () => {
    const [socket, accepted] = await asked(createHttpServer((_, response) => response.end(LARGE)));
    await later(50);
    socket.resetAndDestroy();
    while (!accepted.closed) await later(10);
  });

  it('is closed after a while where its answer is not read', async () => {
    const [, accepted] = await asked(createHttpServer((_, response) => response.end(LARGE), { unreadMs: 200 }));
    while (!accepted.closed) await later(10);
  });

  it('is kept while its answer is made', async () => {
    const slowly: RequestListener = (_, response) => void later(700).then(() => response.end('at last'));
    const [socket] = await asked(createHttpServer(slowly, { unreadMs: 100 }));
    let answers = '';
    socket.on('data', (bytes) => {
      answers += String(bytes);
    });
    await once(socket.resume(), 'close');
    expect(answers.match(/HTTP\/1\.1 \d+|at last/g)).toEqual(['HTTP/1.1 200', 'at last', `HTTP/1.1 ${status}`]);
  });

  it('has an answer whole that is written as it is read', async () => {
    const pieces = Array.from({ length: 200 }, () => Buffer.alloc(100_000, 'x'));
    const [socket] = await asked(createHttpServer((_, response) => void Readable.from(pieces).pipe(response)));
    let received = 0;
    let end = '';
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      end = (end + bytes.toString('latin1')).slice(-500);
    });
    await once(socket.resume(), 'close');
    expect(received).toBeGreaterThan(20_000_000);
    expect(end).toContain(`HTTP/1.1 ${status} `);
  });

  it('is closed with all others', async () => {
    const server = createHttpServer(() => undefined);
    const [, accepted] = await asked(server);
    server.closeAllConnections();
    await once(accepted, 'close');
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
