/** Nodes of chains, whatever they speak: one port, and what stands behind it. */
export { bitcoinLikeNode } from './bitcoin-like/node.ts';
export type { ChainNode } from './chain-node.ts';
export { ethereumNode } from './ethereum/node.ts';
