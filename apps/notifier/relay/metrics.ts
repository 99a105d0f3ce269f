import { Counter } from 'prom-client';
import type { Metrics } from '#platform/metrics';

export type RelayMetrics = { readonly pastTheBus: () => void; readonly leftOut: () => void };

export const createRelayMetrics = ({ registry }: Pick<Metrics, 'registry'>): RelayMetrics => {
  const registers = [registry];
  const past = new Counter({ name: 'webhook_past_bus_total', help: 'Webhooks too large for the bus', registers });
  const out = new Counter({ name: 'webhook_left_out_total', help: 'Events of damaged streams told nobody', registers });
  return { pastTheBus: () => past.inc(), leftOut: () => out.inc() };
};
