import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** As it came and as it goes on: header names keep their case and their number. */
export type Message = {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
};

export type Answer = {
  readonly status: number;
  readonly reason: string;
  readonly headers: string[];
  readonly body: Buffer;
};

/** Those of a connection are between two sides of it, and nobody else's. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

const endToEnd = (headers: readonly string[]): string[] =>
  headers.filter((_, index) => !ofConnection.has(headers[index - (index % 2)]?.toLowerCase() ?? ''));

export const hasHeader = (headers: readonly string[], wanted: string): boolean =>
  headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);

const withoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

export const messageOf = async (incoming: IncomingMessage): Promise<Message> => {
  const { method = 'GET', url: path = '/', rawHeaders } = incoming;
  const body = await buffer(incoming);
  const headers = [...endToEnd(rawHeaders), 'Connection', 'close'];
  const lacksLength = !hasHeader(headers, 'content-length') && (body.length > 0 || !withoutBody.has(method));
  if (lacksLength) headers.push('Content-Length', String(body.length));
  return { method, path, headers, body };
};

export const ask = (port: number, { method, path, headers, body }: Message): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const place = { host: '127.0.0.1', port, agent: false };
    const asking = request({ ...place, method, path, headers: [...headers] }, (answer) => {
      const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = answer;
      buffer(answer).then((whole) => resolve({ status, reason, headers: endToEnd(rawHeaders), body: whole }), reject);
    });
    asking.once('error', reject);
    asking.end(body);
  });

export const reachedNobody = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
