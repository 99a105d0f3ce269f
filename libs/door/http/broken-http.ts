import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';

/** How long the other side may take to read the answer; then its connection is taken back, closed there or not. */
export const LINGER_MS = 1_000;

/** Takes a connection back whose other side was told all that there is to tell. */
export const closeSoon = (socket: Duplex): void => {
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
};

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
  socket.on('error', () => undefined);
  closeSoon(socket);
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
};

type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: unknown };

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/;
const GIVEN_ID = /\r\nx-request-id:([^\r\n]*)\r\n/i;

/** The parser stops at a method that it does not know; what it had begun to read may be a sound request all the same. */
const unknownMethod = ({ code, rawPacket }: ParseError): IncomingHttpHeaders | undefined => {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return undefined;
  const [head = ''] = rawPacket.toString('latin1').split('\r\n\r\n', 1);
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
