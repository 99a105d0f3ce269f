export { createMemory, type Memory, type MemoryOptions } from './memory.ts';
export { type Remembered, remember } from './remembered.ts';
