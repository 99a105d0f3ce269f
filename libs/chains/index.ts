/** Nodes of chains, whatever they speak: one port, and what stands behind it. */
export { genesisOf } from './bitcoin-like/networks.ts';
export { bitcoinLikeNode } from './bitcoin-like/node.ts';
export { areBlocksProven } from './bitcoin-like/proven-block.ts';
export {
  type BlockTip,
  type ChainBlock,
  type ChainNode,
  type ChainOutput,
  type ChainTransaction,
  MOST_SENDERS,
  type Sender,
  spentBy,
} from './chain-node.ts';
export { chainIdOf, ethereumNode } from './ethereum/node.ts';
export { isStateGone } from './ethereum/past-state.ts';
export { isOfNode, NodeUnreadable, unless } from './readable.ts';
export { AnswerTooLarge, NodeRefused, NodeUnreachable } from './rpc/errors.ts';
export { namedPlaces } from './rpc/places.ts';
export { coinText, unitsOf } from './units.ts';
