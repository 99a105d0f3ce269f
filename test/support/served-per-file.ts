import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';

/** The server listens on the loopback for all tests of a file; gives its address to whoever asks then. */
export const servedPerFile = (server: Server): (() => string) => {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
