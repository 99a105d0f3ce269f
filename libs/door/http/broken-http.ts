import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { closeSoon } from './close-soon.ts';
import { behindAnswers } from './in-turn.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';

/** Answers on a connection that the HTTP server has given up, so that nobody else would ever close it. */
export const answerOnSocket = (socket: Duplex, { status, body }: ShownError, headers: IncomingHttpHeaders): void => {
  const [type, text] = typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-ID: ${requestIdOf(headers)}`,
    'Connection: close',
  ];
  behindAnswers(socket, () => {
    socket.on('error', () => undefined);
    closeSoon(socket);
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  });
};

type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: unknown; readonly bytesParsed?: unknown };

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/;
/** Of those that the parser knows. */
const LONGEST_METHOD = 16;
const BEGUN_METHOD = /[\w-]*$/;
const GIVEN_ID = /\r\nx-request-id:([^\r\n]*)\r\n/i;

/** The parser stops at a method that it does not know; what it had begun to read may be a sound request all the same. */
const unknownMethod = ({ code, rawPacket, bytesParsed }: ParseError): IncomingHttpHeaders | undefined => {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return undefined;
  const packet = rawPacket.toString('latin1');
  const stoppedAt = typeof bytesParsed === 'number' ? bytesParsed : 0;
  // Before it in the packet there may be sound requests, whose id is not this one's.
  const begun = BEGUN_METHOD.exec(packet.slice(Math.max(0, stoppedAt - LONGEST_METHOD), stoppedAt))?.[0].length ?? 0;
  const [head = ''] = packet.slice(stoppedAt - begun).split('\r\n\r\n', 1);
  return REQUEST_LINE.test(`${head}\r\n`)
    ? { [REQUEST_ID_HEADER]: GIVEN_ID.exec(`${head}\r\n`)?.[1]?.trim() }
    : undefined;
};

const errorOf = (code: string | undefined): ShownError => {
  if (code === 'HPE_HEADER_OVERFLOW') return httpErrors.headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? httpErrors.timedOut() : httpErrors.malformedHttp();
};

/** What is not even HTTP has no request to answer: the answer goes straight to the socket. */
export const answerBrokenHttp = (error: ParseError, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const sound = unknownMethod(error);
  answerOnSocket(socket, sound ? httpErrors.notFound() : errorOf(error.code), sound ?? {});
};
