import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { noteOfRequest } from '#platform/logging';
import { callsFor, isKnown } from './known-connections.ts';
import { createHttpServer } from './server.ts';

const open: (() => unknown)[] = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
});

const BOUNDS = { mostStrangers: 2 };

/** Knows callers by their word, and keeps the answer of whoever wants it kept. */
const knowing: RequestListener = ({ url, headers }, response) => {
  const { 'x-caller': caller, 'x-affiliate': affiliate } = headers;
  if (typeof caller === 'string') noteOfRequest({ caller, ...(affiliate && { affiliate: Number(affiliate) }) });
  if (url !== '/kept') response.end('done');
};

const served = async (handle: RequestListener = knowing, mostKnown = 4): Promise<Server> => {
  const server = createHttpServer(handle, { ...BOUNDS, mostKnown });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return server;
};

const connected = async (server: Server): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  open.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
};

const asked = (caller?: string, path = '/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${caller ? `X-Caller: ${caller}\r\n` : ''}\r\n`;

const ask = async (socket: Socket, caller?: string): Promise<void> => {
  socket.write(asked(caller));
  await once(socket, 'data');
};

const of = async (server: Server, callers: readonly string[]): Promise<Socket[]> => {
  const sockets: Socket[] = [];
  for (const caller of callers) {
    const socket = await connected(server);
    await ask(socket, caller);
    sockets.push(socket);
  }
  return sockets;
};

const areClosed = async (sockets: readonly Socket[]): Promise<boolean[]> => {
  for (const socket of sockets) socket.resume();
  await later(100);
  return sockets.map(({ closed }) => closed);
};

describe('connections of known callers', () => {
  it('are bounded too: of whoever has the most the oldest makes room for another', async () => {
    const server = await served();
    const many = await of(server, ['many', 'many', 'many', 'many']);
    const others = await of(server, ['one', 'other']);
    expect(await areClosed([...many, ...others])).toEqual([true, true, false, false, false, false]);
  });

  it('on which an answer is being made are spared', async () => {
    const server = await served();
    const [busy, ...idle] = await of(server, ['many', 'many', 'many', 'many']);
    busy?.write(asked('many', '/kept'));
    await later(50);
    const others = await of(server, ['one']);
    expect(await areClosed([...(busy ? [busy] : []), ...idle, ...others])).toEqual([false, true, false, false, false]);
  });

  it('are counted by affiliate, whatever keys and tokens it shows on them', async () => {
    const server = await served();
    const sockets: Socket[] = [];
    for (const [nth, affiliate] of [1, 1, 2, 2, 2].entries()) {
      const socket = await connected(server);
      const caller = affiliate === 1 ? 'key 1' : `access token ${nth}`;
      socket.write(asked(caller).replace('\r\n\r\n', `\r\nX-Affiliate: ${affiliate}\r\n\r\n`));
      await once(socket, 'data');
      sockets.push(socket);
    }
    expect(await areClosed(sockets)).toEqual([false, false, true, false, false]);
  });

  const besideBusy = async (busy: readonly string[]): Promise<readonly [busy: boolean[], idle: boolean[]]> => {
    const server = await served(knowing, 16);
    const answered = await of(server, busy);
    for (const socket of answered) socket.write(asked('busy', '/kept'));
    await later(50);
    const idle = await of(
      server,
      Array.from({ length: 17 - busy.length }, (_, nth) => `one of many ${nth}`),
    );
    return [await areClosed(answered), await areClosed(idle)];
  };

  it('on which an answer is being made are spared before idle ones of whoever has fewer', async () => {
    const [busy, idle] = await besideBusy(['busy', 'busy']);
    expect(busy).toEqual([false, false]);
    expect(idle.filter(Boolean)).toHaveLength(1);
  });

  it('on which an answer is being made keep no place of others where they are more than an eighth of all', async () => {
    const [busy, idle] = await besideBusy(['busy', 'busy', 'busy']);
    expect(busy).toEqual([true, false, false]);
    expect(idle.filter(Boolean)).toHaveLength(0);
  });

  it('are those of strangers again once a call on them shows no good credential', async () => {
    const server = await served();
    const were = await of(server, ['revoked', 'revoked', 'revoked']);
    for (const socket of were) await ask(socket);
    expect((await areClosed(were)).filter(Boolean)).toHaveLength(1);
    const known = await of(server, ['one', 'other']);
    expect(await areClosed(known)).toEqual([false, false]);
  });

  it('of a proxy that was named are its own, whoever calls through it', async () => {
    const server = await served((request, response) => {
      callsFor(request.socket, '203.0.113.1');
      knowing(request, response);
    });
    const all = await of(server, ['', '', '', '']);
    expect(await areClosed(all)).toEqual([false, false, false, false]);
    const last = await of(server, ['']);
    expect(await areClosed([...all, ...last])).toEqual([true, false, false, false, false]);
  });
});

describe('a connection on which a tunnel is asked for behind a call', () => {
  it('is counted until it is closed', async () => {
    const server = await served();
    const sockets: Socket[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const socket = await connected(server);
      socket.write(`${asked('', '/kept')}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
      sockets.push(socket);
    }
    expect(await areClosed(sockets)).toEqual([true, false, false]);
  });
});

describe('a connection of a proxy that was named', () => {
  it('has known callers alone from where a good credential was shown last', async () => {
    const known: boolean[] = [];
    const server = await served((request, response) => {
      const from = String(request.headers['x-from']);
      callsFor(request.socket, from);
      known.push(isKnown(request.socket, from));
      knowing(request, response);
    });
    const socket = await connected(server);
    const through = async (from: string, caller: string): Promise<void> => {
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-From: ${from}\r\n${caller && `X-Caller: ${caller}\r\n`}\r\n`);
      await once(socket, 'data');
    };
    await through('203.0.113.1', 'one');
    await through('203.0.113.1', '');
    await through('203.0.113.1', 'one');
    await through('203.0.113.2', '');
    expect(known).toEqual([false, true, false, false]);
  });
});
