import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { StandIn } from './standIn.ts';

const bodyOf = async (request: IncomingMessage): Promise<object> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  if (typeof body !== 'object' || body === null) throw new Error('faults are a JSON object');
  return body;
};

const handle = async (standIn: StandIn, request: IncomingMessage): Promise<unknown> => {
  switch (`${request.method} ${request.url}`) {
    case 'GET /faults':
      return standIn.faults.current();
    case 'POST /faults':
      return standIn.faults.set(await bodyOf(request));
    case 'DELETE /faults':
      return standIn.faults.reset();
    case 'POST /cut':
      standIn.cut();
      return {};
    case 'POST /scavenge':
      standIn.scavenge();
      return {};
    default:
      throw new Error('there are GET, POST and DELETE /faults, POST /cut and POST /scavenge');
  }
};

const listener =
  (standIn: StandIn): RequestListener =>
  (request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    handle(standIn, request).then(
      (body) => answer(200, body),
      (error: unknown) => answer(400, { error: String(error) }),
    );
  };

/** The switches over the process boundary; loopback only. There once it resolves: whoever starts this asks at once. */
export const startControl = async (standIn: StandIn, port: number): Promise<Server> => {
  const server = createServer(listener(standIn)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
