import type pg from 'pg';
import { createGate } from '#platform/gate';

/** Lists of one partner come a few at a time, and none of those that wait has a connection. */
export type SharedLists = <List>(affiliateId: number, list: () => Promise<List>) => Promise<List>;

/** What a page costs grows with what it skips. Of the pool's connections lists take a third at most. */
export const shareLists = ({ options: { max } }: Pick<pg.Pool, 'options'>): SharedLists => {
  const most = Math.max(2, Math.floor(max / 3));
  const gate = createGate({ most, mostOfOne: Math.floor(most / 2) });
  let calls = 0;
  return (affiliateId, list) => {
    calls += 1;
    return gate({ party: `affiliate ${affiliateId}`, thing: String(calls) }, list);
  };
};
