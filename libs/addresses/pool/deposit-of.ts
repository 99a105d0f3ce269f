import type { Queryable } from '#platform/postgres';
import { canonicalAddress } from '../canonical.ts';

type Row = { readonly depositId: number };

/** The deposit that an address was given to, in whatever case it is spelled. */
export const depositOf = async (db: Queryable, address: string): Promise<number | undefined> => {
  const { rows } = await db.query<Row>({
    name: 'deposit_of_address',
    text: `SELECT deposit_id AS "depositId" FROM pool_addresses
           WHERE address_key = $1 AND deposit_id IS NOT NULL`,
    values: [canonicalAddress(address)],
  });
  return rows[0]?.depositId;
};
