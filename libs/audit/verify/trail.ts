import { auditTrailBreaks } from '#partners';
import type { Queryable } from '#platform/postgres';
import type { Finding } from './finding.ts';

const TABLE = 'audit_trail';

/** Where the chain of the audit trail is broken. */
export const trailBreaks = async (db: Queryable): Promise<readonly Finding[]> =>
  (await auditTrailBreaks(db)).map(({ id, problem }) => ({ by: 'trail', table: TABLE, key: { id }, problem }));
