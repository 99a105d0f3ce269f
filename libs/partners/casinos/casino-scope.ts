import { type Refused, refused } from '#deposits';
import type { ApiKey } from '../authentication/authenticate.ts';
import type { Casino } from './casino.ts';

/** What a key may touch: what is of its affiliate, or of the one casino that it is locked to. */
export type Scope = Pick<ApiKey, 'affiliateId' | 'entityId'>;

type Owners = { readonly affiliateId: number; readonly entityId: number };

/** Outside of it there is no such deposit: nobody learns that it is another's. */
export const isInScope = ({ affiliateId, entityId }: Scope, owners: Owners): boolean =>
  owners.affiliateId === affiliateId && (entityId === null || owners.entityId === entityId);

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
