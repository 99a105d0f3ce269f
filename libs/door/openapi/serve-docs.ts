import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { release } from '#platform/release';
import { completed, type ToldBeside } from './complete.ts';
import { keepBytes } from './kept-bytes.ts';
import { postmanCollection } from './postman.ts';

const description = `Casino deposits: issue an address and an exact amount, watch and screen the payment, decide once.

Authenticate with an admin-scope key in \`X-API-Key\`. Every answer carries \`X-Request-ID\`; a printable one that you
send is echoed. Request types are strict: numbers are JSON numbers, flags are JSON booleans. Names that mean nothing
are ignored, and told in \`X-Ignored-Fields\`; a body without \`Content-Type: application/json\` is an empty one, and told
in \`X-Ignored-Body\`; the routes of operators and engines refuse it with a 415.`;

/** As 3.1 has it; the builder knows the licenses of 3.0, which need an address. */
const license = { name: 'Proprietary, all rights reserved', identifier: 'LicenseRef-Proprietary' };

const settings = () => {
  const built = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Cointill')
    .setDescription(description)
    .setVersion(release)
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'api_key')
    // Not addBearerAuth: it would call the token a JWT.
    .addSecurity('operator_token', { type: 'http', scheme: 'bearer' })
    .build();
  return { ...built, info: { ...built.info, license } };
};

type Elsewhere = { readonly app: NestFastifyApplication; readonly url: () => string };

/** Routes of another door, each path with the server that has it. */
const joined = (document: OpenAPIObject, other: OpenAPIObject, url: string): OpenAPIObject => ({
  ...document,
  paths: {
    ...Object.fromEntries(Object.entries(other.paths).map(([path, item]) => [path, { servers: [{ url }], ...item }])),
    ...document.paths,
  },
  components: { ...document.components, schemas: { ...other.components?.schemas, ...document.components?.schemas } },
});

/** What Swagger UI needs and nothing else: its own scripts, the styles that it writes into the page, its pictures. */
const PAGE_HEADERS = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"],
    ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Each takes its time to make: the document is large. */
const KEPT = ['/openapi.json', '/docs', '/docs/', '/docs/swagger-ui-init.js'];

const guardPage = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (/^\/docs(?:[/?]|$)/.test(request.url)) void reply.headers(PAGE_HEADERS);
    done();
  });
};

/** `/openapi.json`, a page to read it at `/docs` and the same for Postman, built when first asked for; none needs a network. */
export const serveDocs = (app: NestFastifyApplication, told: ToldBeside = {}, elsewhere?: Elsewhere): void => {
  let built: OpenAPIObject | undefined;
  const documentOf = (one: NestFastifyApplication): OpenAPIObject =>
    SwaggerModule.createDocument(one, settings(), { extraModels: [...(told.bodies ?? [])] });
  const all = (): OpenAPIObject =>
    elsewhere ? joined(documentOf(app), documentOf(elsewhere.app), elsewhere.url()) : documentOf(app);
  const document = (): OpenAPIObject => {
    built ??= completed(all(), told);
    return built;
  };
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  guardPage(fastify);
  keepBytes(fastify, KEPT);
  let collection: ((url: string) => string) | undefined;
  fastify.get('/postman.json', ({ protocol, host }, reply) => {
    collection ??= postmanCollection(document());
    return reply.type('application/json').send(collection(`${protocol}://${host}`));
  });
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Cointill',
    // Swagger UI would otherwise ask a public validator for a badge.
    swaggerOptions: { validatorUrl: null, tryItOutEnabled: true },
  });
};
