export type { KafkaBusOptions } from './client.ts';
export { openKafkaBus } from './kafka-bus.ts';
