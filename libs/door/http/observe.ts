import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#platform/logging';
import type { Metrics } from '#platform/metrics';

/** Asked for every few seconds by machines: counted, but not worth a line each. */
const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

const routeOf = (request: FastifyRequest): string =>
  request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');

/** One observation and one line for each answer. */
export const observeAnswers = (fastify: FastifyInstance, metrics: Metrics, logger: Logger): void => {
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const route = routeOf(request);
    const { method } = request;
    const status = reply.statusCode;
    metrics.observeHttp({ method, route, status, seconds: reply.elapsedTime / 1000 });
    const fields = { method, route, status, ms: Math.round(reply.elapsedTime * 10) / 10 };
    if (QUIET.has(route)) logger.debug(fields, 'answered');
    else logger.info(fields, 'answered');
    done();
  });
};
