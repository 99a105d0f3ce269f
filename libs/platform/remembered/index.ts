export { createMemory, type MemoryOptions } from './memory.ts';
export { remember } from './remembered.ts';
