import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

/** Addresses that an operator added and that nobody has here: they leave the pool until he adds them again, or others. */
export type SetAside = { readonly currency: Ticker; readonly addresses: readonly string[] };

/** Every key, for one that is not in use may be again. */
const RAISE = 'UPDATE derivation_keys SET next_index = least(next_index + $1, 2147483648)';

/** `derived` says how many came into the pool: these never did. */
const FORGET_DERIVED = `
  WITH gone AS (DELETE FROM pool_addresses WHERE source = 'derived' AND taken_at IS NULL RETURNING key_id)
  UPDATE derivation_keys k SET derived = derived - g.count
  FROM (SELECT key_id, count(*) AS count FROM gone GROUP BY key_id) g WHERE g.key_id = k.id`;

const SET_ASIDE = `
  WITH gone AS (
    DELETE FROM pool_addresses WHERE source = 'added' AND taken_at IS NULL AND NOT retired RETURNING currency, address
  ), listed AS (
    SELECT currency, array_agg(address ORDER BY address) AS addresses FROM gone GROUP BY currency
  ), counted AS (
    UPDATE address_pools p SET added = added - cardinality(addresses) FROM listed WHERE listed.currency = p.currency
  )
  SELECT currency, addresses FROM listed ORDER BY currency`;

/** No address that stands free here goes out, nor one of the next so many indexes of any key. */
export const passOverFree = async (db: Queryable, indexes: number): Promise<readonly SetAside[]> => {
  await db.query(RAISE, [indexes]);
  await db.query(FORGET_DERIVED);
  return (await db.query<SetAside>(SET_ASIDE)).rows;
};
