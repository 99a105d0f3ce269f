import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { remember } from '../remembered/index.ts';

export type HttpObservation = {
  readonly method: string;
  /** The route's pattern, never the path: ids in labels would grow without end. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
};

export type Metrics = {
  /** Where every other part registers its own. */
  readonly registry: Registry;
  /** For Prometheus: collected once a second at most, however many ask. */
  readonly scrape: () => Promise<string>;
  readonly observeHttp: (observation: HttpObservation) => void;
};

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return {
    registry,
    scrape: remember(() => registry.metrics()).get,
    observeHttp: ({ method, route, status, seconds }) =>
      duration.observe({ method: METHODS.has(method) ? method : 'other', route, status }, seconds),
  };
};
