export { BusError } from './errors.ts';
export type { BusLog } from './log.ts';

export type { Bus, BusConsumer, BusMessage, ConsumeOptions, Delivered, GroupPlace } from './port.ts';
