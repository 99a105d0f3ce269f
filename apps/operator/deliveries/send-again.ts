import type pg from 'pg';
import { actorOf, type Operator, recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';
import { type InStep, type Replayed, redeliver, replay, type SentAgain } from '#webhooks';

/** Makes one due again; who did it is recorded with it. */
export const sendOneAgain = (pool: pg.Pool, operator: Operator, id: number): Promise<SentAgain> =>
  inTransaction(pool, async (db) => {
    const outcome = await redeliver(db, id);
    if (outcome === 'due') {
      const after = { status: 'pending' };
      const change = { action: 'changed', subject: 'webhook_delivery', subjectId: id, before: null, after } as const;
      await recordChange(db, { actor: actorOf(operator), ...change });
    }
    return outcome;
  });

type Since = { readonly whose: Replayed; readonly since: Date };

/** Makes all since a time due again; who did it is recorded with the first step. */
export const sendAllAgain = (pool: pg.Pool, operator: Operator, { whose, since }: Since): Promise<number> => {
  let recorded = false;
  const inStep: InStep = (step) =>
    inTransaction(pool, async (db) => {
      const named = 'entityId' in whose ? { entity_id: whose.entityId } : { affiliate_id: whose.affiliateId };
      const after = { ...named, since: since.toISOString() };
      const change = {
        action: 'changed',
        subject: 'webhook_replay',
        subjectId: 'entityId' in whose ? whose.entityId : `affiliate ${whose.affiliateId}`,
        before: null,
        after,
      } as const;
      if (!recorded) await recordChange(db, { actor: actorOf(operator), ...change });
      recorded = true;
      return step(db);
    });
  return replay(inStep, whose, since);
};
