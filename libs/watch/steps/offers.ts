import type { ChainNode } from '#chains';
import type { Lacked, Turn } from '../parts.ts';
import { give, type Sending, type Taken } from './give.ts';

/** More than are sent again at a time. */
const MOST = 1_000;

export const offeredTo = ({ offered }: Pick<Lacked, 'offered'>, node: ChainNode): Set<string> => {
  const those = offered.get(node) ?? new Set<string>();
  offered.set(node, those);
  return those;
};

/**
 * Sends one again and again that is not new, over as many looks as it takes a node to be asked all that it leans on: one that
 * refuses of that what was mined long ago, or asks for more, is sent each once before the payment itself.
 */
export const offering = ({ untold: { offers } }: Turn, txid: string) => {
  const known: Pick<Lacked, 'offered'> = offers.get(txid) ?? { offered: new Map() };
  // The newest comes last.
  offers.delete(txid);
  offers.set(txid, known);
  for (const oldest of [...offers.keys()].slice(0, -MOST)) offers.delete(oldest);
  let isWhole = true;
  return {
    give: async (node: ChainNode, sending: Sending): Promise<Taken> => {
      const taken = await give(node, sending, offeredTo(known, node));
      if (taken === 'not yet') isWhole = false;
      return taken;
    },
    /** Where all was offered to whoever answers the next time begins anew. */
    end: (): void => {
      if (isWhole) offers.delete(txid);
    },
  };
};
