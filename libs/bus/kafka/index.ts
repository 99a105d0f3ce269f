export { openKafkaBus } from './kafka-bus.ts';
export type { KafkaBusOptions } from './options.ts';
