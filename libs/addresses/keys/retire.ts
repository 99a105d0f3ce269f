import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

/** Money must not go on flowing to the key that was replaced; what deposits already have stays theirs. */
export const retireOthers = (db: Queryable, currency: Ticker) =>
  db.query(
    `UPDATE pool_addresses SET retired = NOT k.active FROM derivation_keys k
     WHERE k.id = key_id AND k.currency = $1 AND taken_at IS NULL AND retired = k.active`,
    [currency],
  );
