import { timeIn } from '../audit/times.ts';
import type { Command } from '../command.ts';
import type { JsonSchema } from '../json-schema.ts';
import { exit, refused, usage } from '../parts/exit.ts';
import { RELAY } from './deliveries.ts';

const place = { type: ['string', 'null'] };

const json: JsonSchema = {
  type: 'object',
  properties: { from: place, to: place },
  required: ['from', 'to'],
};

const refusalOf = async (error: unknown, since: Date): Promise<Error | undefined> => {
  const { NotRemembered, RelayStopped } = await import('#webhooks');
  if (error instanceof RelayStopped)
    return refused(
      `webhooks have stopped, and none is carried once more until they go on, by \`cointill deliveries take-up\` or once ` +
        `their own log is there again: ${error.message}`,
    );
  if (!(error instanceof NotRemembered)) return undefined;
  const oldest = error.since ? `, but from ${error.since.toISOString()} on` : ' yet';
  return refused(`nothing of what was carried before ${since.toISOString()} is remembered${oldest}`);
};

export const deliveriesCarryAgain: Command = {
  words: 'deliveries carry-again',
  summary: 'Have webhooks carried once more that were made since a moment',
  description:
    'After Kafka lost its topics with what was on them, or a Postgres was put back beside a Kafka that went on: what the ' +
    'notifiers took since then, or were to take, is carried to them once more. What has a delivery gets no other; what has ' +
    'none is sent, with its id of before. A service may run. The last 30 days are remembered. Where webhooks have stopped ' +
    'since the log was put back it is refused: `deliveries take-up` first.',
  options: [['--since <time>', 'some minutes before the loss, or before the backup']],
  examples: [
    'DATABASE_URL=postgres://… EVENT_STORE=eventstoredb EVENTSTORE_URL=esdb://… cointill deliveries carry-again --since 2026-11-24T03:00:00Z',
  ],
  json,
  run: async (call) => {
    const since = timeIn(call, 'since');
    if (!since) throw usage('say since when: --since 2026-11-24T03:00:00Z');
    if (since.getTime() > Date.now()) throw usage(`--since ${since.toISOString()} is yet to come`);
    const [{ withInstallation }, { openStores }, { carryAgain }, { recordChange }] = await Promise.all([
      import('./installation.ts'),
      import('../audit/stores.ts'),
      import('#webhooks'),
      import('#partners'),
    ]);
    const moved = await withInstallation(async ({ pool, url, actor }) => {
      const { log, close } = await openStores(url);
      try {
        return await carryAgain({ log, pool }, since, (db, { from, to }) =>
          recordChange(db, { ...RELAY, actor, before: { position: from }, after: { position: to } }),
        );
      } finally {
        await close();
      }
    }).catch(async (error: unknown) => {
      throw (await refusalOf(error, since)) ?? error;
    });
    call.out.answer(moved, () =>
      call.out.note(
        moved.to === moved.from
          ? `Webhooks have come no further than they had then, to ${moved.from}: nothing is carried once more`
          : `Webhooks are carried once more from behind ${moved.to} on; they had come to ${moved.from}`,
      ),
    );
    return exit.done;
  },
};
