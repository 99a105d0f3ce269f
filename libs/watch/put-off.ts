import { isOfNode } from '#chains';
import { TipMoved } from './rows/tip.ts';

/**
 * What no node is to blame for ends a turn once what waits was looked at: what cannot be done with the crowd of one block
 * hides nobody else. Another watcher goes on from where the tip was moved to.
 */
export const putOffIn =
  (failures: unknown[]) =>
  (error: unknown): undefined => {
    if (error instanceof TipMoved || isOfNode(error)) throw error;
    failures.push(error);
  };
