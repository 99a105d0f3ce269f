import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpServer } from './server.ts';
import { betweenLooks } from './unread.ts';

const open: (() => unknown)[] = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A process that is busy for longer than between two looks, a twelfth of it, takes that for something taken. */
const UNREAD_MS = 3_600;

const ASKED = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const accepted = async (
  answer: RequestListener,
  asked = ASKED,
): Promise<readonly [socket: Socket, accepted: Socket]> => {
  const server = createHttpServer(answer, { unreadMs: UNREAD_MS });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined).write(asked);
  open.push(
    () => socket.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const [other] = (await once(server, 'connection')) as [Socket];
  return [socket, other];
};

/** How long the socket stood, and the longest that this process stood still meanwhile, as others may have it do. */
const standing = async (other: Socket) => {
  const [delays, from] = [monitorEventLoopDelay({ resolution: 10 }), performance.now()];
  delays.enable();
  await once(other, 'close');
  delays.disable();
  return { ms: performance.now() - from, stoodStillMs: delays.max / 1e6 };
};

const TRIES = 5;

/** A measure in which the process stood still for longer than between two looks tells nothing, and is taken again. */
const standsForAsLongAsSaid = async (opened: () => ReturnType<typeof accepted>): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const [, other] = await opened();
    const { ms, stoodStillMs } = await standing(other);
    expect(ms).toBeGreaterThan(UNREAD_MS);
    if (stoodStillMs >= betweenLooks(UNREAD_MS) && tries < TRIES) continue;
    expect(ms).toBeLessThan(1.6 * UNREAD_MS);
    return;
  }
};

describe('an answer of which nothing is read', () => {
  it('stands for as long as is said, whatever the system took of it at once, and not for twice as long', async () => {
    await standsForAsLongAsSaid(() => accepted((_, response) => response.end(Buffer.alloc(20_000_000, 'x'))));
  }, 60_000);

  it('stands no longer for a tunnel that was asked for behind it', async () => {
    const tunnel = `${ASKED}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`;
    await standsForAsLongAsSaid(() => accepted((_, response) => response.end(Buffer.alloc(20_000_000, 'x')), tunnel));
  }, 60_000);
});

describe('an answer of which something is read now and then', () => {
  it('goes on for as long as that takes', async () => {
    const [socket, other] = await accepted((_, response) => response.end(Buffer.alloc(40_000_000, 'x')));
    const end = performance.now() + 4 * UNREAD_MS;
    while (performance.now() < end) {
      await later(UNREAD_MS / 3);
      for (let bytes = 0; bytes < 3_000_000; ) {
        const piece: Buffer | null = socket.read();
        if (piece) bytes += piece.length;
        else await later(5);
      }
    }
    expect(other.closed).toBe(false);
  });
});
