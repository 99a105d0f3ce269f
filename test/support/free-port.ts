import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below what systems lend to connections that go out and to servers that ask for any port: one of theirs could be taken
 * again by anybody in the seconds that a server needs to begin.
 */
const [FIRST, BEHIND] = [20_000, 32_000];

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A server that has not begun yet, or is killed and comes back to its place, holds no port meanwhile. UDP has the same
 * numbers, and nobody here speaks it: who has that one is given the number, on all of this machine, until his process ends.
 */
const isOurs = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const held = createSocket('udp4').once('error', () => {
      held.close();
      resolve(false);
    });
    held.bind(port, '127.0.0.1', () => {
      held.unref();
      resolve(true);
    });
  });

/** A port of the loopback that was free a moment ago, and that nobody else who asks here is given. */
export const freePort = async (first = FIRST, behind = BEHIND): Promise<number> => {
  const port = randomInt(first, behind);
  return (await isOurs(port)) && (await isFree(port)) ? port : freePort(first, behind);
};
