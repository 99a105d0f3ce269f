export { onceForAll } from './once-for-all.ts';
export { together } from './together.ts';
