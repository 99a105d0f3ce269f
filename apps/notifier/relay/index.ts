export { registerRelayLag, registerRelayStopped } from './gauges.ts';
export { createRelayMetrics } from './metrics.ts';
export { type Relay, startRelay } from './start-relay.ts';
