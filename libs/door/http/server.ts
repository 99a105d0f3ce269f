import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { notesOfRequest, withRequestId } from '#platform/logging';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { answerOnSocket } from './broken-http.ts';
import { holdGivenUp } from './given-up.ts';
import { inTurn } from './in-turn.ts';
import { noteOn } from './known-connections.ts';
import { normalizeContentType } from './request-body.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { boundConnections } from './strangers.ts';
import { betweenLooks, closeUnread } from './unread.ts';
import { createAnswers } from './unread-answers.ts';

const TIMEOUTS = {
  requestTimeout: 30_000,
  headersTimeout: 30_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5_000,
};

/**
 * The size of a head says little of what it costs: each line of it is two texts, however short. Past so many the server
 * keeps none, and would not say so. No multiple of 32, which is how many it is handed at a time: of so many alone it would
 * be unknown whether more came.
 */
const MOST_HEADERS = 100;

/** Nothing moves on the connection: its answer is not read. */
const UNREAD_MS = 60_000;

const refuse = (response: ServerResponse, { status, body }: ShownError): void => {
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  response.writeHead(status, headers).end(JSON.stringify(body));
};

/** None, or two, of which whoever stands in between may have taken the other (RFC 9112, 3.2). */
const hasNoSingleHost = ({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean => {
  if (headers.host === undefined) return httpVersion === '1.1';
  const isHost = (text: string, nth: number): boolean => nth % 2 === 0 && text.length === 4 && /^host$/i.test(text);
  return rawHeaders.filter(isHost).length > 1;
};

/** The parser drops what came in one packet with such a request: whoever sent it hears that he has to send it again. */
const asksForUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');

type Options = { readonly unreadMs?: number; readonly mostStrangers?: number; readonly mostKnown?: number };

/**
 * The request id is set here, below the router, so that no answer can be without it. A server that is going away asks
 * its callers to open their next connection elsewhere.
 */
export const createHttpServer = (
  handle: RequestListener,
  { unreadMs = UNREAD_MS, ...bounds }: Options = {},
): Server => {
  const answer = (request: IncomingMessage, response: ServerResponse, work: () => void): void => {
    const requestId = requestIdOf(request.headers);
    response.setHeader(REQUEST_ID_HEADER, requestId);
    if (!server.listening || asksForUpgrade(request)) response.setHeader('connection', 'close');
    withRequestId(requestId, work);
  };
  const settings = { ...TIMEOUTS, requireHostHeader: false, ServerResponse: createAnswers() };
  const server = createServer(settings, (request, response) => {
    inTurn(request, response, () =>
      answer(request, response, () => {
        const { socket } = request;
        const answered = noteOn(socket, notesOfRequest());
        response.once('close', () => {
          answered();
          look(socket);
        });
        if (request.rawHeaders.length > 2 * MOST_HEADERS) return refuse(response, httpErrors.headersTooLarge());
        if (hasNoSingleHost(request)) return refuse(response, httpErrors.malformedHttp());
        normalizeContentType(request);
        handle(request, response);
      }),
    );
  });
  server.maxHeadersCount = MOST_HEADERS;
  const look = boundConnections(server, bounds);
  closeUnread(server, unreadMs);
  server.on('checkExpectation', (request, response) => {
    inTurn(request, response, () => answer(request, response, () => refuse(response, httpErrors.expectationFailed())));
  });
  const hold = holdGivenUp(server, betweenLooks(unreadMs));
  server.on('connect', ({ headers }, socket) => {
    hold(socket);
    answerOnSocket(socket, httpErrors.notFound(), headers);
  });
  return server;
};
