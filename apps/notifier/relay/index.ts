export { registerRelayLag } from './lag-gauge.ts';
export { type Relay, type RelayParts, startRelay } from './start-relay.ts';
