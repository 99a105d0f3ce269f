import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { parseJson } from './json-value.ts';
import { readBody } from './read-body.ts';

export const BODY_LIMIT = 1_048_576;

/**
 * Stands in place of a body that cannot be used. It is not thrown at once, because the interface checks the
 * credential first: the interceptor throws it after the guards have spoken.
 */
export class UnusableBody {
  readonly error: ShownError;

  constructor(error: ShownError) {
    this.error = error;
  }
}

const jsonBody = async (stream: IncomingMessage): Promise<unknown> => {
  const encoding = stream.headers['content-encoding'] ?? 'identity';
  const read = await readBody(stream, BODY_LIMIT);
  if (read.kind === 'too-large') return new UnusableBody(httpErrors.bodyTooLarge(BODY_LIMIT));
  if (read.kind === 'cut-short') return new UnusableBody(httpErrors.bodyCutShort());
  if (encoding !== 'identity') return new UnusableBody(httpErrors.encodingUnsupported(encoding.slice(0, 40)));
  const parsed = parseJson(read.bytes);
  return 'refusal' in parsed ? new UnusableBody(parsed.refusal) : parsed.value;
};

/** "Without that header the body is ignored (treated as empty)." Its size is bounded all the same. */
const ignoredBody = async (stream: IncomingMessage): Promise<unknown> => {
  const read = await readBody(stream, BODY_LIMIT);
  return read.kind === 'too-large' ? new UnusableBody(httpErrors.bodyTooLarge(BODY_LIMIT)) : undefined;
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
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request: FastifyRequest) => jsonBody(request.raw));
  fastify.addContentTypeParser('*', (request: FastifyRequest) => ignoredBody(request.raw));
};
