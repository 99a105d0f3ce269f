export { hourly } from './hourly.ts';
export { type Repeated, repeat } from './repeat.ts';
