import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import type { EntityItem } from './entity-item.ts';

export type CasinoName = Pick<EntityItem, 'id' | 'affiliate_id' | 'name' | 'mode' | 'status'>;

/** By which name each number is known, for those who may see no account. */
export const listCasinoNames = (
  db: Queryable,
  { affiliateId, ...page }: Page & { readonly affiliateId?: number | undefined },
): Promise<Paged<CasinoName>> =>
  listPage<CasinoName, CasinoName>(db, {
    ...page,
    select: 'SELECT id, affiliate_id, name, mode, status FROM entities',
    key: 'id',
    where: { affiliate_id: affiliateId },
    item: (row) => row,
  });
