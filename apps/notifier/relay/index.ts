export { registerRelayLag } from './lag-gauge.ts';
export { type Relay, startRelay } from './start-relay.ts';
