import { isNativeError } from 'node:util/types';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyServerOptions } from 'fastify';
import type { Logger } from '#platform/logging';
import type { Metrics } from '#platform/metrics';
import { httpErrors } from '../errors/index.ts';
import { allowStepsAfterGuards } from './after-guards.ts';
import { answerBrokenHttp } from './broken-http.ts';
import { ShownErrorFilter } from './exception.filter.ts';
import { serveFrontPage } from './front-page.ts';
import { haveNothingKept } from './nothing-kept.ts';
import { observeAnswers } from './observe.ts';
import { readBodies } from './read-bodies.ts';
import { useJsonBodies } from './request-body.ts';
import { createHttpServer } from './server.ts';
import { tellUnnamedProxies } from './unnamed-proxies.ts';
import { SchemaPipe } from './validation.pipe.ts';

const contextOf = (rest: readonly unknown[]): { context?: string } => {
  const last = rest.at(-1);
  return typeof last === 'string' ? { context: last } : {};
};

const errorOf = (message: unknown): { err?: unknown } => (isNativeError(message) ? { err: message } : {});

const sentenceOf = (message: unknown): string => (isNativeError(message) ? message.message : String(message));

/** What the framework says goes through our log; its progress reports are for debugging. */
const nestLogger = (logger: Logger): LoggerService => ({
  log: (message, ...rest) => logger.debug(contextOf(rest), sentenceOf(message)),
  debug: (message, ...rest) => logger.debug(contextOf(rest), sentenceOf(message)),
  verbose: (message, ...rest) => logger.trace(contextOf(rest), sentenceOf(message)),
  warn: (message, ...rest) => logger.warn({ ...contextOf(rest), ...errorOf(message) }, sentenceOf(message)),
  error: (message, ...rest) => logger.error({ ...contextOf(rest), ...errorOf(message) }, sentenceOf(message)),
  fatal: (message, ...rest) => logger.fatal({ ...contextOf(rest), ...errorOf(message) }, sentenceOf(message)),
});

export type HttpAppOptions = {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whose `X-Forwarded-For` is believed; of all others the connection says where they are. */
  readonly trustedProxies?: readonly string[];
};

/** An id of any length is a matter for the endpoint, not for the router; a URL is bounded by the header limit. */
const MAX_PARAM_LENGTH = 16_384;

const serverOptions: FastifyServerOptions = {
  logger: false,
  serverFactory: (handle) => createHttpServer(handle),
  clientErrorHandler: answerBrokenHttp,
  frameworkErrors: (_error, _request, reply: FastifyReply) => {
    const { status, body } = httpErrors.malformedUrl();
    void reply.code(status).send(body);
  },
  return503OnClosing: false,
  // Who reads his answer slowly, or never, would hold the end back; what deserves its answer got it before (drainOnStop).
  forceCloseConnections: true,
  routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
};

/** The one way in which every app of the house, and every test, serves HTTP. */
export const createHttpApp = async (
  modules: readonly (Type<object> | DynamicModule)[],
  options: HttpAppOptions,
): Promise<NestFastifyApplication> => {
  const { logger, metrics, trustedProxies = [] } = options;
  const trustProxy = trustedProxies.length > 0 && [...trustedProxies];
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: class AllRoutes {}, imports: [...modules] },
    new FastifyAdapter({ ...serverOptions, trustProxy }),
    {
      bodyParser: false,
      logger: nestLogger(logger),
      abortOnError: false,
    },
  );
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  useJsonBodies(fastify);
  observeAnswers(fastify, metrics, logger);
  haveNothingKept(fastify);
  tellUnnamedProxies(fastify, logger);
  serveFrontPage(fastify);
  app.useGlobalFilters(new ShownErrorFilter(logger));
  allowStepsAfterGuards(app);
  readBodies(app);
  app.useGlobalPipes(new SchemaPipe());
  return app;
};
