import type pg from 'pg';
import { actorOf, type Operator, recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';
import {
  countReplay,
  type InStep,
  type Replayed,
  redeliver,
  replay,
  type SentAgain,
  stopReplay,
  type Wanted,
} from '#webhooks';

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

type Wish = { readonly whose: Replayed; readonly wanted: Wanted };

/** How many that would be, which is no change and on no record. */
export const countAgain = (pool: pg.Pool, { whose, wanted }: Wish): Promise<number> => countReplay(pool, whose, wanted);

const subjectOf = (whose: Replayed) => ('entityId' in whose ? whose.entityId : `affiliate ${whose.affiliateId}`);

/** What had arrived before the replay is left alone again; who stopped it is recorded first. */
export const stopSendingAgain = async (pool: pg.Pool, operator: Operator, whose: Replayed): Promise<number> => {
  const change = { action: 'removed', subject: 'webhook_replay', subjectId: subjectOf(whose) } as const;
  await recordChange(pool, { actor: actorOf(operator), ...change, before: null, after: null });
  return stopReplay((step) => inTransaction(pool, step), whose);
};

/** Makes all that is wanted due again; who did it is recorded with the first step. */
export const sendAllAgain = (pool: pg.Pool, operator: Operator, { whose, wanted }: Wish): Promise<number> => {
  let recorded = false;
  const inStep: InStep = (step) =>
    inTransaction(pool, async (db) => {
      const named = 'entityId' in whose ? { entity_id: whose.entityId } : { affiliate_id: whose.affiliateId };
      const { since, until, events, onlyDead } = wanted;
      const narrowed = { ...(until && { until: until.toISOString() }), ...(events && { events }) };
      const after = { ...named, since: since.toISOString(), ...narrowed, ...(onlyDead && { only: 'dead' }) };
      const change = {
        action: 'changed',
        subject: 'webhook_replay',
        subjectId: subjectOf(whose),
        before: null,
        after,
      } as const;
      if (!recorded) await recordChange(db, { actor: actorOf(operator), ...change });
      recorded = true;
      return step(db);
    });
  return replay(inStep, whose, wanted);
};
