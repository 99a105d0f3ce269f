import type { Queryable } from '#platform/postgres';
import { beginAnew } from '#read-models';
import { receiptsFromTheBeginning } from '#receipts';
import { forgetRelay } from '#webhooks';

/**
 * Whose log had no history begins anew in the next one: a place of one log is none of another, where it lies beyond the end
 * or within a record, or passes over what is written up to there. Seals stay: one that is over nothing
 * is over no place of the next log, by what the audit trail has behind it.
 */
export const forgetPlaces = async (db: Queryable): Promise<void> => {
  await beginAnew(db);
  await receiptsFromTheBeginning(db);
  await forgetRelay(db);
};
