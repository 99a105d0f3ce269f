import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Logger, noteOfRequest, notesOfRequest, type RequestNotes } from '#platform/logging';
import type { Metrics } from '#platform/metrics';

const numberIn = (value: unknown): number | undefined => {
  const read = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(read) ? (read as number) : undefined;
};

const NAMES = { casino: 'entity_id', deposit: 'deposit_id', transaction: 'transaction_id' } as const;

/** What a body, a query or an answer says of a casino, a deposit or a transaction. */
const concernsIn = (value: unknown): RequestNotes => {
  const notes: RequestNotes = {};
  if (typeof value !== 'object' || value === null) return notes;
  for (const name of ['casino', 'deposit', 'transaction'] as const) {
    const number = numberIn(Reflect.get(value, NAMES[name]));
    if (number !== undefined) notes[name] = number;
  }
  return notes;
};

const OF_ONE = /\/(deposit|transaction)s?\/:id\b/;

/** The path names it by its id alone. */
const concernsOfPath = ({ routeOptions, params }: FastifyRequest): RequestNotes => {
  const [, kind] = OF_ONE.exec(routeOptions.url ?? '') ?? [];
  const id = kind && typeof params === 'object' && params ? numberIn(Reflect.get(params, 'id')) : undefined;
  return id === undefined ? concernsIn(params) : { [kind as 'deposit']: id };
};

const concernsOf = (request: FastifyRequest): RequestNotes => ({
  ...concernsIn(request.query),
  ...concernsIn(request.body),
  ...concernsOfPath(request),
});

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
