export { BusError, type BusErrorCode } from './errors.ts';
export type { BusLog } from './log.ts';
export { MAX_MESSAGE_BYTES } from './message.ts';
export type { Bus, BusConsumer, BusMessage, ConsumeOptions, Delivered } from './port.ts';
