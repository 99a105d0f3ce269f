export { memoryNode, paymentTo } from './memory-node.ts';
