import type { FastifyInstance } from 'fastify';

/** What may be where; each door tells of what it has. */
const PLACES = {
  console: '/console',
  docs: '/docs',
  openapi: '/openapi.json',
  postman: '/postman.json',
  live: '/health/live',
  ready: '/health/ready',
  metrics: '/metrics',
} as const;

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

const pageOf = (places: readonly (readonly [string, string])[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Cointill</title>
<h1>Cointill</h1>
<ul>
${places.map(([name, path]) => `<li><a href="${path}">${name}</a></li>`).join('\n')}
</ul>
</html>
`;

/** Whoever opens the bare address is told where things are: a browser by a page, a program by JSON. */
export const serveFrontPage = (fastify: FastifyInstance): void => {
  fastify.get('/', (request, reply) => {
    const places = Object.entries(PLACES).filter(([, url]) => fastify.hasRoute({ method: 'GET', url }));
    if (!/\btext\/html\b/i.test(request.headers.accept ?? ''))
      return reply.send({ name: 'Cointill', ...Object.fromEntries(places) });
    return reply.headers(HTML_HEADERS).send(pageOf(places));
  });
};
