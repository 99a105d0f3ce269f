import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Arrival, FromEndpoints, ServedManner } from './endpoints.ts';

/** Servers in a process of their own: what the test itself is busy with delays no arrival. */
const manners: readonly ServedManner[] = JSON.parse(process.argv[2] ?? '[]');

const say = (said: FromEndpoints): void => {
  process.send?.(said);
};

const wholeBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const arrivalAt = (endpoint: number, { headers }: IncomingMessage, body: string): Arrival => {
  const { deposit_id, event } = JSON.parse(body);
  return {
    at: Date.now(),
    endpoint,
    webhookId: String(headers['x-webhook-id']),
    bodyHash: createHash('sha256').update(body).digest('hex'),
    depositId: deposit_id,
    event,
  };
};

/** As over a network: a kill finds deliveries that have arrived and are not answered yet. */
const ANSWERS_AFTER_MS = 20;

const answers: Readonly<Record<ServedManner, (response: ServerResponse) => unknown>> = {
  answers: (response) => setTimeout(() => response.writeHead(200).end('ok'), ANSWERS_AFTER_MS),
  fails: (response) => response.writeHead(500).end('no'),
  hangs: () => undefined,
};

const serve = async (manner: ServedManner, endpoint: number): Promise<string> => {
  const server = createServer((request, response) => {
    void wholeBody(request).then(
      (body) => {
        say({ arrival: arrivalAt(endpoint, request, body) });
        answers[manner](response);
      },
      // Its sender was killed in the middle of it: nothing has arrived.
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port');
  return `http://127.0.0.1:${address.port}/hooks`;
};

process.once('disconnect', () => process.exit());
say({ urls: await Promise.all(manners.map(serve)) });
