export { type EventStoreDbEventLogOptions, openEventStoreDbEventLog } from './open.ts';
