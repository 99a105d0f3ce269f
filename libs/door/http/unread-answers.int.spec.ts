import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { noteOfRequest } from '#platform/logging';
import { callsFor } from './known-connections.ts';
import { createHttpServer } from './server.ts';

const open: (() => unknown)[] = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
});

const MEGABYTE = 1_048_576;

/** More than two kernels keep for a connection, of which so many are too many for one caller. */
const LARGE = Buffer.alloc(7 * MEGABYTE, 'x');
const TOO_MANY = 3;

const large: RequestListener = (_, response) => response.end(LARGE);

/** Knows callers by their word, behind a proxy too. */
const knowing =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    const { 'x-caller': caller, 'x-affiliate': affiliate, 'x-from': from } = request.headers;
    if (typeof from === 'string') callsFor(request.socket, from);
    if (typeof caller === 'string') noteOfRequest({ caller, ...(affiliate && { affiliate: Number(affiliate) }) });
    answer(request, response);
  };

const served = async (answer: RequestListener = large): Promise<Server> => {
  const server = createHttpServer(knowing(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return server;
};

type Asked = {
  readonly caller?: string;
  readonly affiliate?: number;
  readonly from?: string;
  readonly localAddress?: string;
};

/** Reads nothing. To be told once the answer is begun. */
const asked = async (server: Server, { caller, affiliate, from, localAddress }: Asked): Promise<Socket> => {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) }).pause();
  open.push(() => socket.destroy());
  const headers = Object.entries({ 'X-Caller': caller, 'X-Affiliate': affiliate, 'X-From': from })
    .map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\r\n`))
    .join('');
  socket.on('error', () => undefined).write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  await once(server, 'request');
  await later(20);
  return socket;
};

const askedInTurn = async (server: Server, asks: readonly Asked[]): Promise<Socket[]> => {
  const sockets: Socket[] = [];
  for (const each of asks) sockets.push(await asked(server, each));
  return sockets;
};

const bytesOf = async (socket: Socket): Promise<number> => {
  let bytes = 0;
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  socket.resume();
  for (let before = -1; before < bytes && !socket.closed; await later(300)) before = bytes;
  return bytes;
};

const areWhole = async (sockets: readonly Socket[]): Promise<boolean[]> =>
  (await Promise.all(sockets.map(bytesOf))).map((bytes) => bytes > LARGE.length);

describe('answers that nobody reads', () => {
  it('are bounded for one caller: past that the oldest of his largest is cut, and no other caller loses one', async () => {
    const server = await served();
    const [other] = await askedInTurn(server, [{ caller: 'other' }]);
    const many = await askedInTurn(server, Array(TOO_MANY).fill({ caller: 'many' }));
    expect(await areWhole([...(other ? [other] : []), ...many])).toEqual([true, false, true, true]);
  });

  it('are bounded for one affiliate, whatever keys and access tokens it shows', async () => {
    const server = await served();
    const many = ['key 1', 'access token 1', 'access token 2'].map((caller) => ({ caller, affiliate: 1 }));
    const sockets = await askedInTurn(server, [{ caller: 'key 2', affiliate: 2 }, ...many]);
    expect(await areWhole(sockets)).toEqual([true, false, true, true]);
  });

  it('are bounded for all: whoever has the most loses to a caller who has less', async () => {
    const server = await served();
    const of = (caller: string, number: number): Asked[] => Array(number).fill({ caller });
    const sockets = await askedInTurn(server, [...of('one', 1), ...of('two', 2), ...of('three', 2), ...of('four', 1)]);
    expect(await areWhole(sockets)).toEqual([true, false, true, true, true, true]);
  });

  it('of strangers are bounded by their addresses, and beside those of known callers', async () => {
    const server = await served();
    const [known] = await askedInTurn(server, [{ caller: 'known' }]);
    const from = (nth: number): Asked => ({ localAddress: `127.0.8.${nth}` });
    const strangers = await askedInTurn(server, [from(1), from(2), from(3), from(3), from(4), from(5)]);
    const whole = await areWhole([...(known ? [known] : []), ...strangers]);
    expect(whole[0]).toBe(true);
    expect(whole.slice(1).filter(Boolean)).toHaveLength(3);
    expect(whole.slice(3, 5)).not.toEqual([true, true]);
  });

  it('behind a proxy that was named are those of its callers, each with a share of his own', async () => {
    const server = await served();
    const many = { caller: 'many', from: '203.0.113.1' };
    const other = { caller: 'other', from: '203.0.113.2' };
    const sockets = await askedInTurn(server, [other, many, many, many]);
    expect(await areWhole(sockets)).toEqual([true, false, true, true]);
  });

  it('count as long as they are kept: what was read of before makes room', async () => {
    const server = await served();
    for (let nth = 0; nth < 2 * TOO_MANY; nth += 1) {
      const [socket] = await askedInTurn(server, [{ caller: 'many' }]);
      expect(socket && (await areWhole([socket]))).toEqual([true]);
    }
  });
});

describe('an answer that is written as it is read', () => {
  it('is neither kept as a whole nor cut, however long it is, and however little there is room for', async () => {
    let kept = 0;
    const server = await served((request, response) => {
      if (request.headers['x-caller'] !== 'slow') return large(request, response);
      const pieces = Array.from({ length: 3_000 }, () => Buffer.alloc(10_000, 'x'));
      return void Readable.from(pieces)
        .on('data', () => {
          kept = Math.max(kept, response.writableLength);
        })
        .pipe(response);
    });
    const [slow] = await askedInTurn(server, [{ caller: 'slow' }]);
    await askedInTurn(server, Array(TOO_MANY).fill({ caller: 'many' }));
    let bytes = 0;
    for (const end = 30_000_000; slow && bytes < end && !slow.closed; ) {
      const piece: Buffer | null = slow.read();
      if (piece) bytes += piece.length;
      else await once(slow, 'readable', { signal: AbortSignal.timeout(5_000) });
    }
    expect(bytes).toBeGreaterThan(30_000_000);
    expect(kept).toBeLessThan(200_000);
  });
});
