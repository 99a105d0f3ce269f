import type { Ahead } from '#audit';
import type { Call, Command } from '../command.ts';
import type { JsonSchema } from '../json-schema.ts';
import { type ExitCode, exit, usage } from '../parts/exit.ts';
import { isDirect } from './named.ts';
import { openStores } from './stores.ts';

const [text, whole] = [{ type: 'string' }, { type: 'integer' }];
const place = { type: ['string', 'null'] };

const schema: JsonSchema = {
  type: 'object',
  properties: {
    log_ends_at: place,
    projections: {
      type: 'array',
      items: { type: 'object', properties: { name: text, position: place, ahead: { type: 'boolean' } } },
    },
    relay: { type: 'object', properties: { position: place, ahead: { type: 'boolean' } } },
    ...{ rows: whole, events_missing: whole, streams_ahead: whole },
    streams: {
      type: 'array',
      items: { type: 'object', properties: { stream: text, shown: whole, ends_at: whole } },
    },
  },
  required: ['log_ends_at', 'projections', 'relay', 'rows', 'events_missing', 'streams_ahead', 'streams'],
};

const show = ({ out }: Call, ahead: Ahead): ExitCode => {
  const further = [
    ...ahead.projections.map(({ name, ...each }) => ({ what: `projection ${name}`, ...each })),
    { what: 'the relay of webhooks', ...ahead.relay },
  ].filter((each) => each.ahead);
  out.answer(ahead, () => {
    if (ahead.streams.length > 0) out.table(ahead.streams, ['stream', 'shown', 'ends_at']);
    const end = ahead.log_ends_at ?? 'its beginning';
    for (const { what, position } of further)
      out.note(`${what} stands at ${position}, and the log, which ends at ${end}, lacks what it has taken`);
    out.note(
      `${ahead.rows} rows: ${ahead.streams_ahead} show more than the log holds, which lacks ${ahead.events_missing} of their events`,
    );
  });
  return ahead.streams_ahead > 0 || further.length > 0 ? exit.finding : exit.done;
};

export const ahead: Command = {
  words: 'audit ahead',
  summary: 'By how much a database is ahead of its log',
  description:
    'Reads the database (DATABASE_URL) and its log (EVENTSTORE_URL, or the same database) without a service: one that is ahead of its log does not start. Ends with 1 where it is ahead.',
  examples: ['DATABASE_URL=postgres://… EVENTSTORE_URL=esdb://… cointill audit ahead'],
  json: schema,
  run: async (call) => {
    if (!isDirect()) throw usage('set DATABASE_URL, and EVENTSTORE_URL where the log is apart');
    const [{ aheadOfLog }, { streamRows }, { readRelay }, { openProgress }] = await Promise.all([
      import('#audit'),
      import('#ground'),
      import('#webhooks'),
      import('../parts/progress.ts'),
    ]);
    const { log, pool, close } = await openStores();
    const progress = openProgress('ahead', 'rows');
    try {
      if (!pool) throw usage('set DATABASE_URL: it is the database that may be ahead');
      const onProgress = (rows: number): void => progress.at(rows, rows + 1);
      const relay = await readRelay(pool);
      const found = await aheadOfLog({ log, pool, kinds: streamRows, relay, signal: call.signal, onProgress });
      progress.end();
      return show(call, found);
    } finally {
      await close();
    }
  },
};
