import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { type ParsedJson, parseJson } from './json-value.ts';
import { MOST_PIECES, startBuffer, takeIn } from './take-in.ts';

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

const refusedFor = (kind: 'too-large' | 'in-crumbs'): UnreadBody =>
  refused(kind === 'too-large' ? httpErrors.bodyTooLarge(BODY_LIMIT) : httpErrors.bodyInCrumbs(MOST_PIECES));

const jsonBody = async (stream: IncomingMessage): Promise<unknown> => {
  const encoding = stream.headers['content-encoding'] ?? 'identity';
  const buffer = startBuffer(BODY_LIMIT);
  const taken = await takeIn(stream, BODY_LIMIT, buffer.keep);
  if (taken.kind === 'too-large' || taken.kind === 'in-crumbs') return refusedFor(taken.kind);
  if (taken.kind === 'cut-short') return refused(httpErrors.bodyCutShort());
  // Many clients name the type of a body that a GET does not bring.
  if (stream.method === 'GET' && taken.length === 0) return undefined;
  if (encoding !== 'identity') return refused(httpErrors.encodingUnsupported(encoding.slice(0, 40)));
  return new UnreadBody(() => parseJson(buffer.first(taken.length)));
};

const untyped = new WeakSet<IncomingMessage>();

/** Somebody sent a body that nobody can read. */
export const bringsUntypedBody = (stream: IncomingMessage): boolean => untyped.has(stream);

/** "Without that header the body is ignored (treated as empty)." Its size is bounded all the same. */
const ignoredBody = async (stream: IncomingMessage): Promise<unknown> => {
  const taken = await takeIn(stream, BODY_LIMIT);
  if (taken.kind === 'too-large' || taken.kind === 'in-crumbs') return refusedFor(taken.kind);
  if (taken.kind === 'cut-short' || taken.length > 0) untyped.add(stream);
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
  // Nobody here knows it, so that its path is unknown; the framework asks for its body's type before it looks for one.
  fastify.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request: FastifyRequest) => jsonBody(request.raw));
  fastify.addContentTypeParser('*', (request: FastifyRequest) => ignoredBody(request.raw));
};
