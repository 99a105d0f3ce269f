import { type Refused, refused } from '#deposits';
import type { Scope } from '../authentication/scope.ts';
import type { Casino } from './casino.ts';

export type FindCasino = (entityId: number) => Promise<Casino | undefined>;

export type CasinoRefusal = { readonly refusal: 'other_entity' | 'entity_not_found' };

export type CasinoOutcome = { readonly outcome: 'found'; readonly casino: Casino } | Refused<CasinoRefusal>;

/** The casino that a call names, if its key may act on it: the lock of the key comes first, then the casino. */
export type CasinoFor = (scope: Scope, entityId: number) => Promise<CasinoOutcome>;

export const createCasinoFor =
  (find: FindCasino): CasinoFor =>
  async (scope, entityId) => {
    if (scope.entityId !== null && scope.entityId !== entityId) return refused({ refusal: 'other_entity' });
    const casino = await find(entityId);
    return casino?.affiliateId === scope.affiliateId
      ? { outcome: 'found', casino }
      : refused({ refusal: 'entity_not_found' });
  };

/** "Creating deposits and listing need the casino status `active` or `enabled`." */
export const isEnabled = ({ status }: Casino): boolean => status !== 'disabled';
