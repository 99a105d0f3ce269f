import { readMark } from '#counters';
import { hasGivenIds } from '#deposit-commands';
import { keepInstallation, keptInstallation } from '#instances';
import { recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';
import type { Elsewhere } from './held-until.ts';
import type { Owner } from './label.ts';
import { checkNotAhead } from './own-label.ts';

type TakenUp = Omit<Owner, 'at'>;

/**
 * Of several at once the first one tells. `always`: of a history without a name, of which nothing tells whose it was, also
 * where the database has a name that no log has heard.
 */
export const takeUp = async (
  parts: Elsewhere,
  { installation, since, engine, demo }: TakenUp,
  told: 'once' | 'always' = 'once',
): Promise<void> => {
  await checkNotAhead(parts);
  const after = { since, engine, demo };
  const taken = await inTransaction(parts.pool, async (db) => {
    if (!(await keepInstallation(db, installation)) && told === 'once') return undefined;
    const subjectId = (await keptInstallation(db)) ?? installation;
    const what = { subject: 'event_log', subjectId, before: null, after } as const;
    await recordChange(db, { actor: 'EVENTSTORE_URL', action: 'changed', ...what });
    return subjectId;
  });
  if (taken !== undefined)
    parts.logger.error(
      { alert: 'log_taken_up', installation: taken, ...after },
      'this database knew no event log and goes on with one that has had an installation since then: no other service may run on it',
    );
};

/**
 * Of a log without a name: since when it has had a history of which this database has counted nothing. Who has given numbers
 * out may not have counted yet what came of the first.
 */
export const unknownSince = async ({ claim: { log }, pool }: Elsewhere): Promise<Date | undefined> => {
  if ((await readMark(pool)) || (await hasGivenIds(pool))) return undefined;
  for await (const { recordedAt } of log.readAll({ limit: 1, asStored: true })) return recordedAt;
  return undefined;
};
