import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll } from '@jest/globals';
import { freePort } from '../../support/free-port.ts';
import { type Body, objectOf } from './http.ts';
import { answers, type Manner } from './manners.ts';
import { patience } from './waiting.ts';

/** One request as it came: the bytes, and not what a parser makes of them. */
export type Arrival = {
  /** Milliseconds since 1970, when the last byte was there. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: Body;
};

export type Endpoint = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** How many connections were opened to it. */
  readonly connections: () => number;
  /** How it answers from now on. */
  readonly answer: (manner: Manner) => void;
  /** As many as asked for, the oldest first; fewer where no more came in time, for the case to judge. */
  readonly arrived: (
    wanted: (arrival: Arrival) => boolean,
    count?: number,
    withinMs?: number,
  ) => Promise<readonly Arrival[]>;
  /** Refuses connections until it listens again, at the same port. */
  readonly refuse: () => Promise<void>;
  readonly listen: () => Promise<void>;
};

const wholeBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const arrivalOf = async (request: IncomingMessage): Promise<Arrival> => {
  const raw = await wholeBody(request);
  const { method = '', url = '', headers } = request;
  return { at: Date.now(), method, path: url, headers, raw, body: objectOf(raw.toString('utf8')) };
};

/** Where the service reaches this machine: not on the loopback when it runs in a container. */
const host = process.env.ACCEPTANCE_ENDPOINT_HOST || '127.0.0.1';

/** A partner's endpoint on this machine: answers 200 until told otherwise. */
const openEndpoint = async (manner: Manner = answers(200)): Promise<Endpoint> => {
  const arrivals: Arrival[] = [];
  const looking = new Set<() => void>();
  let [connections, current] = [0, manner];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrival = await arrivalOf(request);
    arrivals.push(arrival);
    for (const look of looking) look();
    current(response, request);
  };
  const server = createServer((request, response) => {
    // Who breaks off in the middle of a request has not arrived.
    take(request, response).catch(() => response.destroy());
  });
  server.on('connection', () => {
    connections += 1;
  });
  const listenAt = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => resolve());
    });
  const port = await freePort();
  await listenAt(port);

  const arrived: Endpoint['arrived'] = (wanted, count = 1, withinMs = patience()) =>
    new Promise((resolve) => {
      const found = () => arrivals.filter(wanted).slice(0, count);
      const give = (): void => {
        looking.delete(look);
        clearTimeout(limit);
        resolve(found());
      };
      const look = (): void => {
        if (found().length >= count) give();
      };
      const limit = setTimeout(give, withinMs);
      looking.add(look);
      look();
    });

  return {
    url: `http://${host}:${port}/hooks`,
    arrivals,
    connections: () => connections,
    answer: (next) => {
      current = next;
    },
    arrived,
    refuse: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    listen: () => listenAt(port),
  };
};

/** Endpoints of one subject, which are closed after its last case. */
export const endpoints = () => {
  const open: Endpoint[] = [];
  afterAll(async () => {
    await Promise.all(open.map(({ refuse }) => refuse()));
  });
  return async (manner?: Manner): Promise<Endpoint> => {
    const endpoint = await openEndpoint(manner);
    open.push(endpoint);
    return endpoint;
  };
};

export type OpenEndpoint = ReturnType<typeof endpoints>;
