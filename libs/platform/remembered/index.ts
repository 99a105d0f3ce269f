export { type MemoryOptions, type Remembered, remember } from './remembered.ts';
