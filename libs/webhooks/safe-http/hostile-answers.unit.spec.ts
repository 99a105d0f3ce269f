import { createServer, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createWebhookClient } from './index.ts';

const open: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** Answers each request in its own words. */
const speaks = async (answer: (socket: Socket) => unknown): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('data', (sent) => sent.includes('{"a":1}') && answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const place = server.address();
  return `http://127.0.0.1:${typeof place === 'object' ? place?.port : 0}/hooks`;
};

const clientOf = () => {
  const client = createWebhookClient({ allowPrivate: true, timeLimitMs: 20_000 });
  open.push(client.close);
  return client;
};

const post = (url: string, client = clientOf()) => client.post({ url, headers: {}, body: '{"a":1}' });

const BEGINNING = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;';

describe('an answer that says nothing without end', () => {
  it('is cut off, and its status counts', async () => {
    let sent = 0;
    const flood = Buffer.alloc(65_536, 'x');
    const url = await speaks((socket) => {
      const write = (): void => {
        sent += flood.length;
        if (socket.write(flood) && !socket.destroyed) setImmediate(write);
      };
      socket.on('drain', write).write(BEGINNING);
      write();
    });
    const attempted = await post(url);
    expect(attempted).toMatchObject({ statusCode: 200, excerpt: '', error: null });
    expect(attempted.durationMs).toBeLessThan(3_000);
    // What lies between the two ends is of the system.
    expect(sent).toBeLessThan(32_000_000);
  });

  it('is waited for a few seconds once its status is there, however slowly it comes', async () => {
    const url = await speaks((socket) => {
      const timer = setInterval(() => socket.write('x'), 100);
      socket.on('close', () => clearInterval(timer)).write(BEGINNING);
    });
    const attempted = await post(url);
    expect(attempted).toMatchObject({ statusCode: 200, error: null });
    expect(attempted.durationMs).toBeLessThan(8_000);
  }, 30_000);
});

describe('100 Continue before the answer', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
  const ANSWER = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok';

  it.each([
    ['alone', CONTINUE],
    ['with headers', 'HTTP/1.1 100 Continue\r\nserver: x\r\ndate: today\r\n\r\n'],
    ['twice', CONTINUE + CONTINUE],
    ['behind hints', HINTS + CONTINUE],
    ['before hints', CONTINUE + HINTS],
  ])('is passed over: %s, in one packet and byte by byte, on a connection that is kept', async (_, before) => {
    const byByte = async (socket: Socket): Promise<void> => {
      for (const byte of before + ANSWER) {
        socket.write(byte);
        await later(1);
      }
    };
    let nth = 0;
    const url = await speaks((socket) => (nth++ % 2 === 0 ? socket.write(before + ANSWER) : byByte(socket)));
    const client = clientOf();
    for (let calls = 0; calls < 4; calls++)
      expect(await post(url, client)).toMatchObject({ statusCode: 201, excerpt: 'ok', error: null });
  });

  it('is no answer, however often it comes', async () => {
    const attempted = await post(await speaks((socket) => socket.write(CONTINUE.repeat(1_000))));
    expect(attempted).toMatchObject({ statusCode: null, error: 'The answer is too long' });
  });

  it('is what it says within an answer', async () => {
    const body = `HTTP/1.1 500 No\r\ncontent-length: ${CONTINUE.length}\r\n\r\n${CONTINUE}`;
    expect(await post(await speaks((socket) => socket.write(body)))).toMatchObject({
      ...{ statusCode: 500, excerpt: CONTINUE, error: null },
    });
  });
});
