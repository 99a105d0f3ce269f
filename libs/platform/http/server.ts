import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { withRequestId } from '../logging/index.ts';
import { normalizeContentType } from './request-body.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';

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
    answer(request, response, () => {
      if (lacksHost(request)) return refuse(response, httpErrors.malformedHttp());
      normalizeContentType(request);
      handle(request, response);
    });
  });
  server.on('checkExpectation', (request, response) => {
    answer(request, response, () => refuse(response, httpErrors.expectationFailed()));
  });
  return server;
};

const errorOf = (code: string | undefined): ShownError => {
  if (code === 'HPE_HEADER_OVERFLOW') return httpErrors.headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? httpErrors.timedOut() : httpErrors.malformedHttp();
};

/** What is not even HTTP has no request to answer: the answer goes straight to the socket. */
export const answerBrokenHttp = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = errorOf(error.code);
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    `X-Request-ID: ${requestIdOf({})}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
};
