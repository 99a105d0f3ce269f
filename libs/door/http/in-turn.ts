import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeSoon, LINGER_MS } from './broken-http.ts';
import { wasLeft } from './take-in.ts';

const MAX_UNANSWERED = 32;

/** Of one connection: how many of its requests have no answer yet, and the work of those that wait for their turn. */
type Line = { unanswered: number; readonly waiting: (() => void)[] };

const lines = new WeakMap<Socket, Line>();

const lineOf = (socket: Socket): Line => {
  const known = lines.get(socket);
  if (known) return known;
  const made: Line = { unanswered: 0, waiting: [] };
  lines.set(socket, made);
  return made;
};

/**
 * What nobody reads of a body, and is still to come behind the answer, may come for a moment: each of its pieces costs the
 * same, however little is in it.
 */
const endUnread = (request: IncomingMessage, socket: Socket): void => {
  const linger = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, LINGER_MS);
  linger.unref();
};

/**
 * One packet can carry a thousand requests, whose answers would all be prepared and kept for somebody who need not
 * read a single one. Who sends that many before the first answer loses the connection; of fewer the next is looked at
 * when the answer before it is on its way, so that no more than one waits to be read.
 */
export const inTurn = (request: IncomingMessage, response: ServerResponse, work: () => void): void => {
  const { socket } = request;
  const line = lineOf(socket);
  line.unanswered += 1;
  if (line.unanswered > MAX_UNANSWERED) {
    socket.destroy();
    return;
  }
  response.once('close', () => {
    line.unanswered -= 1;
    if (!request.complete) endUnread(request, socket);
    if (wasLeft(request)) closeSoon(socket);
    else if (socket.writable) line.waiting.shift()?.();
  });
  if (line.unanswered === 1) work();
  else line.waiting.push(work);
};

/** Its answer is still being made: it is not the other side that keeps silent. */
export const waitsForUs = (socket: Socket): boolean =>
  socket.writableLength === 0 && (lines.get(socket)?.unanswered ?? 0) > 0;
