import { claimLost } from '../errors.ts';

export type ClaimKeeper = {
  readonly alive: () => Promise<void>;
  /** A rebalance waits for us: finish what is under way, begin nothing new. */
  readonly isAskedToYield: () => boolean;
  /** The client's own error, which makes it join again; undefined while the claim holds. */
  readonly lostBy: () => unknown;
};

type Place = { readonly group: string; readonly topic: string; readonly partition: number };

const isRebalance = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'type' in error && error.type === 'REBALANCE_IN_PROGRESS';

/**
 * While a group rebalances, its members may still finish and commit what they have: only a heartbeat that fails for
 * another reason means that the partition may be another's.
 */
export const keepClaim = (heartbeat: () => Promise<void>, { group, topic, partition }: Place): ClaimKeeper => {
  let yielding = false;
  let lost: unknown;
  return {
    alive: async () => {
      try {
        await heartbeat();
      } catch (error) {
        yielding = true;
        if (isRebalance(error)) return;
        lost = error;
        throw claimLost(group, topic, partition, error);
      }
    },
    isAskedToYield: () => yielding,
    lostBy: () => lost,
  };
};
