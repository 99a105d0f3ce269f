import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Arrived = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Endpoint = {
  readonly url: string;
  readonly port: number;
  /** Whole requests, in the order they arrived. */
  readonly arrived: Arrived[];
  readonly connections: () => number;
  /** How it answers from now on. */
  readonly answer: (how: (response: ServerResponse, request: Arrived) => unknown) => void;
  readonly close: () => Promise<void>;
};

const wholeBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

export const ok = (response: ServerResponse): unknown => response.writeHead(200).end('ok');
export const fails = (response: ServerResponse): unknown => response.writeHead(500).end('no');
export const hangs = (): void => undefined;

/** A partner's endpoint on the loopback, with whatever manners a test asks of it. */
export const openEndpoint = async (how: Parameters<Endpoint['answer']>[0] = ok): Promise<Endpoint> => {
  const arrived: Arrived[] = [];
  let [connections, current] = [0, how];
  const server = createServer((request, response) => {
    void wholeBody(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const whole = { method, path: url, headers, body };
      arrived.push(whole);
      current(response, whole);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    arrived,
    connections: () => connections,
    answer: (next) => {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
