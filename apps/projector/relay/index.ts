export { type Relay, type RelayParts, startRelay } from './start-relay.ts';
