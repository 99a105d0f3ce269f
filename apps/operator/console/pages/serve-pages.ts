import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Asset, Assets } from './assets.ts';

/** Nothing but the console's own scripts and styles, no text of a script ever, and no frame around it. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
    ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const WEEKS = 'public, max-age=31536000, immutable';

const sendAsset = (request: FastifyRequest, reply: FastifyReply, asset: Asset, cacheControl: string) => {
  const { type, etag, bytes, gzipped } = asset;
  void reply.headers({ ...PAGE_HEADERS, etag, vary: 'accept-encoding', 'cache-control': cacheControl });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const isZipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (isZipped) void reply.header('content-encoding', 'gzip');
  return reply.type(type).send(isZipped ? gzipped : bytes);
};

const NOT_BUILT = 'The console is not built here: npm run build\n';

/** Names of assets have a hash of their content in them; every other path is a page, which its script draws. */
export const servePages = (fastify: FastifyInstance, assets: Assets): void => {
  fastify.get('/console', (_request, reply) => reply.redirect('/console/'));
  fastify.get<{ Params: { '*': string } }>('/console/*', (request, reply) => {
    const [folder, name] = request.params['*'].split('/');
    if (folder === 'assets') {
      const asset = assets.get(name ?? '');
      return asset
        ? sendAsset(request, reply, asset, WEEKS)
        : reply.headers(PAGE_HEADERS).code(404).type('text/plain').send('404 Not Found');
    }
    const page = assets.get('index.html');
    return page
      ? sendAsset(request, reply, page, 'no-cache')
      : reply.headers(PAGE_HEADERS).code(503).type('text/plain').send(NOT_BUILT);
  });
};
