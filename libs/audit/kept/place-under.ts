import { type AuditPlace, isAuditedBehind } from '#partners';
import type { Queryable } from '#platform/postgres';
import type { Seal } from './seal.ts';

/** As the audit trail names what has the installation go on in another log. */
const LOGS = ['event_log', 'event_store'];

/** By what the seal says of the trail, which is signed with it: `sealed_at` is of a clock that may have been put back. */
const isOfAnotherLog = (db: Queryable, trail: AuditPlace | undefined): Promise<boolean> =>
  isAuditedBehind(db, trail?.place ?? 0, LOGS);

/**
 * The last place that is under it. Of one over no event there is none where the log that it was made on was let go since,
 * as an installation without a history may do, or where nobody can say that.
 */
export const placeUnder = async (
  db: Queryable | undefined,
  { events, position, trail }: Pick<Seal, 'events' | 'position' | 'trail'>,
): Promise<string | null> => (events > 0 || (db && !(await isOfAnotherLog(db, trail))) ? position : null);
