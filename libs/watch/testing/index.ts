export { memoryNode, paymentTo } from './memory-node.ts';
export { nothingTold } from './nothing-told.ts';
