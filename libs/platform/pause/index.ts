export { growingPause, keepTrying } from './keep-trying.ts';
export { createPause, createWaker, eventWithin, pause, unlessAborted, type Waker, whenAborted } from './pause.ts';
export { endsWithin, withinTime } from './within-time.ts';
