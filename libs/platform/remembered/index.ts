export { createMemory, type MemoryOptions } from './memory.ts';
export { type Remembered, remember } from './remembered.ts';
