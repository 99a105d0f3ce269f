export { createPause, createWaker, pause, type Waker } from './pause.ts';
