import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Logger, noteOfRequest, notesOfRequest } from '#platform/logging';
import type { Metrics } from '#platform/metrics';
import { concernsIn, concernsOf } from './concerns.ts';

/** Asked for every few seconds by machines: counted, but not worth a line each. */
const QUIET = new Set(['/health/live', '/health/ready', '/metrics', '/operator/pulse']);

const routeOf = (request: FastifyRequest): string =>
  request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');

const levelOf = (route: string, status: number): 'debug' | 'error' | 'info' => {
  if (QUIET.has(route)) return 'debug';
  return status >= 500 ? 'error' : 'info';
};

/** One observation and one line for each answer: from whom, about what, and why where it failed. */
export const observeAnswers = (fastify: FastifyInstance, metrics: Metrics, logger: Logger): void => {
  fastify.addHook('preSerialization', (_request, _reply, payload, done) => {
    noteOfRequest(concernsIn(payload));
    done(null, payload);
  });
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const route = routeOf(request);
    const { method, ip: client } = request;
    const status = reply.statusCode;
    metrics.observeHttp({ method, route, status, seconds: reply.elapsedTime / 1000 });
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const fields = { method, route, status, ms, client, ...concernsOf(request), ...notesOfRequest() };
    logger[levelOf(route, status)](fields, 'answered');
    done();
  });
};
