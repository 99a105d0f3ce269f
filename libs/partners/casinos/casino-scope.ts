import { scopeErrors } from '#platform/errors';
import type { ApiKey } from '../authentication/authenticate.ts';
import type { Casino } from './casino.ts';

export type FindCasino = (entityId: number) => Promise<Casino | undefined>;

/** The casino that a call names, if its key may act on it: the lock of the key (403), then the casino (404). */
export type CasinoFor = (key: Pick<ApiKey, 'affiliateId' | 'entityId'>, entityId: number) => Promise<Casino>;

export const createCasinoFor =
  (casino: FindCasino): CasinoFor =>
  async (key, entityId) => {
    if (key.entityId !== null && key.entityId !== entityId) throw scopeErrors.otherEntity();
    const found = await casino(entityId);
    if (found?.affiliateId !== key.affiliateId) throw scopeErrors.entityNotFound();
    return found;
  };

/** "Creating deposits and listing need the casino status `active` or `enabled`." */
export const requireEnabled = (casino: Casino): Casino => {
  if (casino.status === 'disabled') throw scopeErrors.entityDisabled(casino.status);
  return casino;
};
