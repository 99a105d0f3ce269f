export { type Repeated, type RepeatOptions, repeat } from './repeat.ts';
