import { type AuditPlace, auditTrailBreaks, auditTrailEnd } from '#partners';
import type { Queryable } from '#platform/postgres';
import type { Finding } from './finding.ts';

const TABLE = 'audit_trail';

/** Where the chain of the audit trail is broken. */
export const trailBreaks = async (db: Queryable): Promise<readonly Finding[]> =>
  (await auditTrailBreaks(db)).map(({ id, problem }) => ({ by: 'trail', table: TABLE, key: { id }, problem }));

/** What its chain does not say: that its end was cut off, or all of it hashed anew. */
export const trailAgainst = async (db: Queryable, { place, hash }: AuditPlace): Promise<readonly Finding[]> => {
  const end = await auditTrailEnd(db, place);
  if (end?.place === place && end.hash === hash) return [];
  const problem =
    end?.place === place
      ? 'up to this entry it is another than was sealed'
      : 'it was sealed up to this entry, which is gone';
  return [{ by: 'seal', table: TABLE, key: { place }, problem }];
};
