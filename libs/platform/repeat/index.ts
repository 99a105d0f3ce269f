export { hourly } from './hourly.ts';
export { type Repeated, type RepeatOptions, repeat } from './repeat.ts';
