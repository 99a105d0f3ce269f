import { Counter, Gauge, Histogram } from 'prom-client';
import { type Metrics, registerGauge } from '#platform/metrics';
import type { Queryable } from '#platform/postgres';

export type DeliveryMetrics = {
  readonly inFlight: (attempts: number) => void;
  readonly answered: (statusCode: number | null) => void;
  /** `seconds` from the log's taking of the event to the good answer. */
  readonly delivered: (seconds: number) => void;
  readonly dead: () => void;
};

/** Past this the gauge says "at least": counting on would cost more than it tells. */
const COUNTED_AT_MOST = 100_000;

const countDue = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ due: number }>(
    `SELECT count(*) AS due FROM (
       SELECT FROM webhooks_undelivered WHERE due_at <= now() LIMIT ${COUNTED_AT_MOST}) AS counted`,
  );
  return rows[0]?.due ?? 0;
};

const outcomeOf = (statusCode: number | null): string =>
  statusCode === null ? 'no answer' : `${Math.floor(statusCode / 100)}xx`;

export const createDeliveryMetrics = (metrics: Pick<Metrics, 'registry'>, db: Queryable): DeliveryMetrics => {
  const registers = [metrics.registry];
  registerGauge(metrics, {
    name: 'webhook_deliveries_due',
    help: 'Deliveries that wait for an attempt now',
    ask: () => countDue(db),
  });
  const inFlight = new Gauge({ name: 'webhook_attempts_in_flight', help: 'Attempts under way here', registers });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts by what came of them',
    labelNames: ['outcome'] as const,
    registers,
  });
  const delivered = new Counter({ name: 'webhook_delivered_total', help: 'Deliveries answered 2xx', registers });
  const dead = new Counter({ name: 'webhook_dead_total', help: 'Deliveries given up', registers });
  const latency = new Histogram({
    name: 'webhook_delivery_latency_seconds',
    help: 'From the recording of the event to the 2xx answer',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400],
    registers,
  });
  return {
    inFlight: (count) => inFlight.set(count),
    answered: (statusCode) => attempts.inc({ outcome: outcomeOf(statusCode) }),
    delivered: (seconds) => {
      delivered.inc();
      latency.observe(Math.max(0, seconds));
    },
    dead: () => dead.inc(),
  };
};
