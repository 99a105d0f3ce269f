import type { ChainNode } from '#chains';
import { reasonOf } from '#platform/reason';
import type { Look } from './nodes/look.ts';
import type { WatchParts } from './parts.ts';
import { recordLook } from './rows/nodes.ts';

/**
 * What was found of each node, for operators. Whatever keeps that of one from being written is told once, and ends no
 * turn: no chain stands still for what is only shown.
 */
export const createKeeping = ({ pool, logger, chain: { coin } }: WatchParts) => {
  const unkept = new Set<ChainNode>();

  const keep = async (look: Look): Promise<void> => {
    const { node } = look;
    try {
      await recordLook(pool, coin, look);
      unkept.delete(node);
    } catch (error) {
      const what = { alert: 'chain_node_not_kept', chain: coin, node: node.name, reason: reasonOf(error) };
      if (!unkept.has(node)) logger.error(what, 'what was found of a node cannot be kept, nor shown');
      unkept.add(node);
    }
  };

  return async (looks: readonly Look[]): Promise<void> => {
    for (const look of looks) await keep(look);
  };
};
