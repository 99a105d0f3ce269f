import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { withRequestId } from '#platform/logging';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { answerOnSocket, closeSoon } from './broken-http.ts';
import { normalizeContentType } from './request-body.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { wasLeft } from './take-in.ts';

const MAX_UNANSWERED = 32;

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
const refusePileOfRequests = (request: IncomingMessage, response: ServerResponse): boolean => {
  const { socket } = request;
  const count = add(socket, 1);
  response.once('close', () => {
    add(socket, -1);
    if (wasLeft(request)) closeSoon(socket);
  });
  if (count > MAX_UNANSWERED) socket.destroy();
  return socket.destroyed;
};

const TIMEOUTS = { requestTimeout: 30_000, headersTimeout: 30_000, keepAliveTimeout: 72_000 };

const refuse = (response: ServerResponse, { status, body }: ShownError): void => {
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  response.writeHead(status, headers).end(JSON.stringify(body));
};

const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

/**
 * The request id is set here, below the router, so that no answer can be without it. A server that is going away asks
 * its callers to open their next connection elsewhere.
 */
export const createHttpServer = (handle: RequestListener): Server => {
  const answer = (request: IncomingMessage, response: ServerResponse, work: () => void): void => {
    const requestId = requestIdOf(request.headers);
    response.setHeader(REQUEST_ID_HEADER, requestId);
    if (!server.listening) response.setHeader('connection', 'close');
    withRequestId(requestId, work);
  };
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, (request, response) => {
    if (refusePileOfRequests(request, response)) return;
    answer(request, response, () => {
      if (lacksHost(request)) return refuse(response, httpErrors.malformedHttp());
      normalizeContentType(request);
      handle(request, response);
    });
  });
  server.on('checkExpectation', (request, response) => {
    answer(request, response, () => refuse(response, httpErrors.expectationFailed()));
  });
  server.on('connect', ({ headers }, socket) => answerOnSocket(socket, httpErrors.notFound(), headers));
  return server;
};
