import { type Turn, timeOf } from '../parts.ts';
import type { MinedRival } from '../rows/rivals.ts';

/** Until then a node that is slow, or was away for a moment, may show it. */
const LASTS_MS = 600_000;

/** Which blocks too few say anything of that could be ended by, and which of them somebody was told of. */
export const createTellingOpen = () => {
  const since = new Map<string, number>();
  const told = new Set<string>();
  return {
    keepTo: (hashes: ReadonlySet<string>): void => {
      for (const hash of since.keys()) if (!hashes.has(hash)) since.delete(hash);
      for (const hash of told) if (!hashes.has(hash)) told.delete(hash);
    },
    /** No time heals it where nodes no longer have the state of then, and the payment may come to count beside another. */
    tell: (turn: Turn, hash: string, rivals: readonly MinedRival[]): void => {
      const now = timeOf(turn).getTime();
      const first = since.get(hash) ?? now;
      since.set(hash, first);
      if (told.has(hash) || now - first < LASTS_MS) return;
      told.add(hash);
      const { chain, logger } = turn;
      logger.error(
        {
          ...{ alert: 'chain_spending_unshown', chain: chain.coin, block: hash, height: rivals[0]?.height },
          ...{ payments: rivals.map(({ txid }) => txid), by: rivals.map(({ by }) => by), agree: chain.agree },
        },
        'a block takes the place of payments as one node shows it, and too few others say whether it does: a person has to see',
      );
    },
    since: (hash: string): number | undefined => since.get(hash),
  };
};
