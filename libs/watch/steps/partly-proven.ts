import type { ChainTransaction, Sender } from '#chains';
import type { Turn } from '../parts.ts';
import { isWhole, namesAll, type Word } from './said-senders.ts';

/** Of a payment whose bytes prove some of its senders, and a script that has no address. */
export type PartlyProven = {
  readonly proven: readonly Sender[];
  /** What as many say as have to agree. */
  readonly agreed: readonly Sender[] | undefined;
  readonly words: readonly Word[];
};

/** One node that is left alone is not believed in what keeps a proven sender from being asked about. */
export const neededBeside = (proven: readonly Sender[] | undefined, needed: number): number =>
  proven ? Math.max(2, needed) : needed;

/** As many may say the rest, and nobody that what is proven is not so: then all of it is told, and goes to review. */
export const sendersBeside = (
  { chain, logger }: Turn,
  { txid }: ChainTransaction,
  { proven, agreed = [], words }: PartlyProven,
): readonly Sender[] => {
  if (agreed.length > 0 && namesAll(agreed, proven)) return agreed;
  const belying = words.filter((word) => isWhole(word) && !namesAll(word.senders, proven));
  if (belying.length > 0)
    logger.error(
      { alert: 'chain_senders_differ', chain: chain.coin, txid, nodes: belying.map(({ node }) => node.name) },
      'nodes leave out where a payment is proven to come from: that is told beside what as many say, and it goes to review',
    );
  return [...new Set([...proven, ...agreed, undefined])];
};
