import type { Command } from '../command.ts';
import type { JsonSchema } from '../json-schema.ts';
import { exit } from '../parts/exit.ts';

const place = { type: ['string', 'null'] };

const json: JsonSchema = {
  type: 'object',
  properties: { taken_up: { type: 'boolean' }, from: place, to: place },
  required: ['taken_up', 'from', 'to'],
};

/** As the audit trail names it. */
export const RELAY = { action: 'changed', subject: 'webhook_relay', subjectId: 'deposit-events' } as const;

export const deliveriesTakeUp: Command = {
  words: 'deliveries take-up',
  summary: 'Let webhooks go on in a log that was put back',
  description:
    'Once the log lacks what webhooks were made of last, none is made until then. They go on behind the newest event ' +
    'that was told and that the log holds: none that was written since is left out, and what is told twice has its id ' +
    'of before. Rebuild the read models first. A service may run; it goes on within seconds.',
  examples: ['DATABASE_URL=postgres://… EVENT_STORE=eventstoredb EVENTSTORE_URL=esdb://… cointill deliveries take-up'],
  json,
  run: async ({ confirm, out }) => {
    await confirm('What the log lacks stays told to partners, and is nowhere in it', 'take up');
    const [{ withInstallation }, { openStores }, { takeUpRelay }, { recordChange }] = await Promise.all([
      import('./installation.ts'),
      import('../audit/stores.ts'),
      import('#webhooks'),
      import('#partners'),
    ]);
    const moved = await withInstallation(async ({ pool, url, actor }) => {
      const { log, close } = await openStores(url);
      try {
        return await takeUpRelay({ log, pool }, (db, { from, to }) =>
          recordChange(db, { ...RELAY, actor, before: { position: from }, after: { position: to } }),
        );
      } finally {
        await close();
      }
    });
    const answer = { taken_up: moved !== undefined, from: moved?.from ?? null, to: moved?.to ?? null };
    out.answer(answer, () => {
      if (!moved) out.note('The log holds what webhooks were made of last: there is nothing to take up');
      else out.note(`Webhooks go on behind ${moved.to ?? 'the beginning of the log'}; they had come to ${moved.from}`);
    });
    return exit.done;
  },
};
