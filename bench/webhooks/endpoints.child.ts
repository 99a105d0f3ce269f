import { type AddressInfo, createServer, type Socket } from 'node:net';
import { clock } from '../lib/clock.ts';

/** When the delivery of this id arrived first. */
const arrivals = new Map<string, number>();

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ID = /\r\nx-webhook-id: ([^\r]+)/;
const LENGTH = /\r\ncontent-length: (\d+)/;

/** Takes one whole request off the front of what came; undefined while it is not whole. */
const takeRequest = (received: string): { readonly id: string; readonly rest: string } | undefined => {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  const end = headEnd + 4 + Number(LENGTH.exec(head)?.[1]);
  return received.length < end ? undefined : { id: String(ID.exec(head)?.[1]), rest: received.slice(end) };
};

const answerAll = (socket: Socket): void => {
  let received = '';
  // Bytes as characters: their number is what the length counts.
  socket.setEncoding('latin1').setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    received += chunk;
    for (let request = takeRequest(received); request; request = takeRequest(received)) {
      received = request.rest;
      if (!arrivals.has(request.id)) arrivals.set(request.id, clock());
      socket.write(ANSWER);
    }
  });
};

/**
 * A partner that reads everything and answers at once, and does no more than that: on a small machine what it costs is
 * taken from the senders.
 */
const listen = (): Promise<string> => {
  const server = createServer(answerAll);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  });
};

process.once('disconnect', () => process.exit());
process.on('message', () => {
  process.send?.([...arrivals]);
  arrivals.clear();
});
process.send?.(await Promise.all(Array.from({ length: Number(process.argv[2]) }, listen)));
