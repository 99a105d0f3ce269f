import type { Queryable } from '#platform/postgres';
import { canonicalAddress } from '../canonical.ts';

/** Addresses go to deposits of casinos, and to transactions of the older interface. */
export type AddressOwner = { readonly depositId: number } | { readonly transactionId: number };

type Row = { readonly depositId: number | null; readonly transactionId: number | null };

export const ownerOf = async (db: Queryable, address: string): Promise<AddressOwner | undefined> => {
  const { rows } = await db.query<Row>({
    name: 'owner_of_address',
    text: `SELECT deposit_id AS "depositId", transaction_id AS "transactionId" FROM pool_addresses
           WHERE address_key = $1 AND taken_at IS NOT NULL`,
    values: [canonicalAddress(address)],
  });
  const { depositId = null, transactionId = null } = rows[0] ?? {};
  if (depositId !== null) return { depositId };
  return transactionId === null ? undefined : { transactionId };
};
