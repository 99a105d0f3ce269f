import type { ApiKey } from './authenticate.ts';

/** What a key may touch: what is of its affiliate, or of the one casino that it is locked to. */
export type Scope = Pick<ApiKey, 'affiliateId' | 'entityId'>;

type Owners = { readonly affiliateId: number; readonly entityId: number };

/** Outside of it there is no such deposit: nobody learns that it is another's. */
export const isInScope = ({ affiliateId, entityId }: Scope, owners: Owners): boolean =>
  owners.affiliateId === affiliateId && (entityId === null || owners.entityId === entityId);
