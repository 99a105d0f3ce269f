import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export const MAX_UNANSWERED = 32;

const unanswered = new WeakMap<Socket, number>();

const add = (socket: Socket, step: 1 | -1): number => {
  const count = (unanswered.get(socket) ?? 0) + step;
  unanswered.set(socket, count);
  return count;
};

/**
 * One packet can carry a thousand requests, whose answers would all be prepared and kept for somebody who need not
 * read a single one. Who sends that many before the first answer loses the connection; true when it was lost.
 */
export const refusePileOfRequests = ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
  const count = add(socket, 1);
  response.once('close', () => add(socket, -1));
  if (count > MAX_UNANSWERED) socket.destroy();
  return socket.destroyed;
};
