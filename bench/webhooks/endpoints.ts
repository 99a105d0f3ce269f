import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Endpoints = {
  readonly urls: readonly string[];
  /** When the body with this mark arrived first, in ms of the monotonic clock. */
  readonly arrivals: Map<string, number>;
  readonly close: () => void;
};

/** Partners that answer at once. Each body begins with its mark, up to the first line break. */
export const openEndpoints = async (count: number): Promise<Endpoints> => {
  const arrivals = new Map<string, number>();
  const servers = Array.from({ length: count }, () =>
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const [mark = ''] = Buffer.concat(chunks).toString('utf8').split('\n');
        if (!arrivals.has(mark)) arrivals.set(mark, performance.now());
        response.writeHead(200).end('ok');
      });
    }),
  );
  const urls = await Promise.all(
    servers.map(
      (server) =>
        new Promise<string>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
        }),
    ),
  );
  return {
    urls,
    arrivals,
    close: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
};
