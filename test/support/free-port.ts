import { randomInt } from 'node:crypto';
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

/** A port of the loopback that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(FIRST, BEHIND);
  return (await isFree(port)) ? port : freePort();
};
