import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

type Kept = { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> };

const keptOf = (text: string, type: string): Kept => {
  const bytes = Buffer.from(text);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { bytes, headers: { etag, 'content-type': type, 'cache-control': 'no-cache' } };
};

/** What is made once and stays as it is for as long as the process runs: the bytes of the first answer serve all others. */
export const keepBytes = (fastify: FastifyInstance, paths: readonly string[]): void => {
  const kept = new Map<string, Kept>();
  const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';
  const reads = (method: string): boolean => method === 'GET' || method === 'HEAD';
  fastify.addHook('onSend', async ({ method, url }, reply, payload) => {
    const path = pathOf(url);
    if (!reads(method) || typeof payload !== 'string' || reply.statusCode !== 200 || !paths.includes(path))
      return payload;
    const made = keptOf(payload, String(reply.getHeader('content-type')));
    kept.set(path, made);
    void reply.headers(made.headers);
    return payload;
  });
  fastify.addHook('onRequest', async ({ method, url, headers }, reply) => {
    const known = reads(method) ? kept.get(pathOf(url)) : undefined;
    if (!known) return;
    void reply.headers(known.headers);
    // Not parted by a pattern with blanks around its comma: that takes time with the square of them.
    const isSame = headers['if-none-match']?.split(',').some((tag) => tag.trim() === known.headers.etag) === true;
    return isSame ? reply.code(304).send() : reply.send(known.bytes);
  });
};
