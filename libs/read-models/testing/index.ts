export { eventually } from './eventually.ts';
export { given } from './given.ts';
export { recordedEvents } from './recorded-events.ts';
export { type Tables, tablesAfter } from './tables-after.ts';
