/** Nodes of chains, whatever they speak: one port, and what stands behind it. */

export { type BitcoinLikeCoin, genesisOf, isGenesis } from './bitcoin-like/networks.ts';
export { bitcoinLikeNode } from './bitcoin-like/node.ts';
export type {
  BlockTip,
  ChainBlock,
  ChainNode,
  ChainOutput,
  ChainTransaction,
  Submitted,
} from './chain-node.ts';
export { chainIdOf } from './ethereum/networks.ts';
export { ethereumNode } from './ethereum/node.ts';
export { type NodeLogin, NodeRefused, NodeUnreachable } from './rpc/client.ts';
export { coinText, decimalsOf, unitsOf } from './units.ts';
