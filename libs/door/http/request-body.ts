import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { type ParsedJson, parseJson } from './json-value.ts';

/** How much of an oversized body is still taken in, so that its sender gets to read the answer. */
const DRAIN_FACTOR = 32;

type ReadBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'cut-short' };

/**
 * Takes in a request's body, keeping at most `limit` bytes. Past the limit the rest is read and dropped: an answer
 * sent while the other side still writes would be lost in the reset of the connection.
 */
const readBody = (stream: IncomingMessage, limit: number): Promise<ReadBody> =>
  new Promise((resolve) => {
    let received = 0;
    let kept: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= limit) kept.push(chunk);
      else kept = [];
      if (received > limit * DRAIN_FACTOR) {
        stream.pause();
        resolve({ kind: 'too-large' });
      }
    });
    stream.once('end', () =>
      resolve(received > limit ? { kind: 'too-large' } : { kind: 'whole', bytes: Buffer.concat(kept) }),
    );
    stream.once('error', () => resolve({ kind: 'cut-short' }));
    stream.once('close', () => resolve({ kind: 'cut-short' }));
  });

export const BODY_LIMIT = 1_048_576;

/**
 * Stands in place of a body until the guards have spoken: the interface checks the credential before the body, and
 * nobody unknown gets a megabyte parsed.
 */
export class UnreadBody {
  /** The value, or the refusal that it deserves. */
  readonly read: () => ParsedJson;

  constructor(read: () => ParsedJson) {
    this.read = read;
  }
}

const refused = (refusal: ShownError): UnreadBody => new UnreadBody(() => ({ refusal }));

const jsonBody = async (stream: IncomingMessage): Promise<unknown> => {
  const encoding = stream.headers['content-encoding'] ?? 'identity';
  const read = await readBody(stream, BODY_LIMIT);
  if (read.kind === 'too-large') return refused(httpErrors.bodyTooLarge(BODY_LIMIT));
  if (read.kind === 'cut-short') return refused(httpErrors.bodyCutShort());
  // Many clients name the type of a body that a GET does not bring.
  if (stream.method === 'GET' && read.bytes.length === 0) return undefined;
  if (encoding !== 'identity') return refused(httpErrors.encodingUnsupported(encoding.slice(0, 40)));
  return new UnreadBody(() => parseJson(read.bytes));
};

const untyped = new WeakSet<IncomingMessage>();

/** Somebody sent a body that nobody can read. */
export const bringsUntypedBody = (stream: IncomingMessage): boolean => untyped.has(stream);

/** "Without that header the body is ignored (treated as empty)." Its size is bounded all the same. */
const ignoredBody = async (stream: IncomingMessage): Promise<unknown> => {
  const read = await readBody(stream, BODY_LIMIT);
  if (read.kind === 'too-large') return refused(httpErrors.bodyTooLarge(BODY_LIMIT));
  if (read.kind === 'whole' && read.bytes.length > 0) untyped.add(stream);
  return undefined;
};

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** Only two kinds of body exist: JSON, and none. Whatever else the header says, even nonsense, is none. */
export const normalizeContentType = ({ headers }: IncomingMessage): void => {
  const type = headers['content-type'];
  if (type === undefined) return;
  if (JSON_TYPE.test(type)) headers['content-type'] = 'application/json';
  else delete headers['content-type'];
};

export const useJsonBodies = (fastify: FastifyInstance): void => {
  // Examples of the older interface "also show GET with a body": the routes that read it say so.
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request: FastifyRequest) => jsonBody(request.raw));
  fastify.addContentTypeParser('*', (request: FastifyRequest) => ignoredBody(request.raw));
};
