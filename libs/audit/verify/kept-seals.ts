import type { Queryable } from '#platform/postgres';
import { sealBreaks } from '../kept/kept-seals.ts';
import type { Finding } from './finding.ts';

/** What stands among the seals and is none, or not the one that the next was made over. */
export async function* brokenSeals(db: Queryable): AsyncGenerator<Finding> {
  for await (const { number, problem } of sealBreaks(db))
    yield { by: 'seal', table: 'audit_seals', key: { number }, problem };
}
