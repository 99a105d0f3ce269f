import type pg from 'pg';
import { createGate } from '#platform/gate';
import { type PlayerRef, playerId } from './player.ts';

/** A player's calls come one at a time, those of one partner's players a few, and none of them waits with a connection. */
export type Alone = <T>(player: PlayerRef, work: () => Promise<T>) => Promise<T>;

type AffiliateOf = (entityId: number) => Promise<number | undefined>;

/** Of the pool's connections a third at most: the rest is for all others. */
export const createAlone = ({ options: { max } }: pg.Pool, affiliateOf: AffiliateOf): Alone => {
  const most = Math.max(2, Math.floor(max / 3));
  const gate = createGate({ most, mostOfOne: Math.floor(most / 2) });
  return async (player, work) => {
    const party = `affiliate ${await affiliateOf(player.entityId)}`;
    return gate({ party, thing: playerId(player) }, work);
  };
};
