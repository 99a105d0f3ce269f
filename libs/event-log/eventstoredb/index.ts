export { openEventStoreDbEventLog } from './open.ts';
