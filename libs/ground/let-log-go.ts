import type pg from 'pg';
import { letNameGo, logLock, logNow, nameRevision, takeNameBack } from '#instances';
import { recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';
import { forgetPlaces } from './forget-places.ts';
import { knowsHistory, mayHaveHistory } from './kept-log.ts';
import { isAlone, running } from './who-runs.ts';

type InUse = { readonly outcome: 'in_use'; readonly by: readonly string[] };

export type LetGo = { readonly outcome: 'let_go' | 'has_none' | 'has_history' | 'has_counted' } | InUse;

export type TakenBack =
  | { readonly outcome: 'taken_back'; readonly installation: string }
  | { readonly outcome: 'has_none' | 'has_another' }
  | InUse;

/**
 * The log that has this installation's name is no longer held to be its own: the next start may name another. Only while
 * nothing was given out that stands there, or may: whoever runs meanwhile could write there what the other log lacks.
 */
export const letLogGo = (pool: pg.Pool, actor: string): Promise<LetGo> =>
  inTransaction(pool, async (db) => {
    const { installation, kind } = (await logNow(db)) ?? {};
    const revision = await nameRevision(db);
    // One that was to have the name may have it, though nobody heard so.
    if (installation === undefined || (revision === undefined && kind !== 'eventstoredb'))
      return { outcome: 'has_none' };
    if (!(await isAlone(db, logLock))) return { outcome: 'in_use', by: await running(db, logLock) };
    // Counting takes numbers too: what was counted first may be another's, and all of it.
    if (await knowsHistory(db)) return { outcome: 'has_counted' };
    if (await mayHaveHistory(db)) return { outcome: 'has_history' };
    await letNameGo(db);
    await forgetPlaces(db);
    const [before, after] = [{ name_revision: revision ?? null }, { name_revision: null }];
    const what = { subject: 'event_log', subjectId: installation, before, after };
    await recordChange(db, { actor, action: 'changed', ...what });
    return { outcome: 'let_go' };
  });

/**
 * The log that was let go last is refused no more. No name is given back with it: where a wrong one was named in its place
 * and let go as well, that comes first, and the next start takes up the one that EVENTSTORE_URL names.
 */
export const takeLogBack = (pool: pg.Pool, actor: string): Promise<TakenBack> =>
  inTransaction(pool, async (db) => {
    const { installation: has, letGo = [] } = (await logNow(db)) ?? {};
    const installation = letGo.at(-1);
    if (installation === undefined) return { outcome: 'has_none' };
    if (has !== undefined) return { outcome: 'has_another' };
    if (!(await isAlone(db, logLock))) return { outcome: 'in_use', by: await running(db, logLock) };
    if (!(await takeNameBack(db, installation))) return { outcome: 'has_another' };
    const what = { subject: 'event_log', subjectId: installation, before: { let_go: true }, after: { let_go: false } };
    await recordChange(db, { actor, action: 'changed', ...what });
    return { outcome: 'taken_back', installation };
  });
