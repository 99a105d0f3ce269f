import { areBlocksProven, type ChainNode } from '#chains';
import type { Ticker } from '#money';

/** So many blocks, from an amount on; or what the chain itself calls settled. */
export type Confirmations = readonly { readonly from: bigint; readonly need: number | 'safe' | 'finalized' }[];

/** A chain that is watched, as its settings say. */
export type WatchedChain = {
  readonly coin: Ticker;
  /** In the order in which they are trusted. */
  readonly nodes: readonly ChainNode[];
  /** How many of them have to have a block before it confirms anything. */
  readonly agree: number;
  /** The first row is from 0 on, each next one from a higher amount. */
  readonly confirmations: Confirmations;
  /** An older head means that the node has stopped. */
  readonly headMaxAgeMs: number;
  /** What is less is recorded, and never told. */
  readonly dust: bigint;
};

/** Whether as many nodes have to show what a block has as have to agree: the hash that all have covers none of it. */
export const areBlocksAgreed = ({ agree, coin }: Pick<WatchedChain, 'agree' | 'coin'>): boolean =>
  agree > 1 && !areBlocksProven(coin);

/** How many blocks are kept to walk back along. */
export const KEPT_BLOCKS: Readonly<Record<Ticker, number>> = {
  BTC: 2_016,
  LTC: 8_064,
  ETH: 8_064,
  DASH: 8_064,
  MARS: 8_064,
  BCH: 2_016,
};
