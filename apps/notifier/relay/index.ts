export { registerRelayLag } from './lag-gauge.ts';
export { createRelayMetrics } from './metrics.ts';
export { type Relay, startRelay } from './start-relay.ts';
