import type { Call, Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
import { written } from '../parts/written.ts';
import { decisionSchema } from './shapes.ts';
import { isDirect, openStores } from './stores.ts';
import { timeIn } from './times.ts';

const casinoIn = (call: Call): number | undefined => {
  const text = call.option('casino');
  if (text !== undefined && !/^\d+$/.test(text)) throw usage(`--casino ${text} is no id`);
  return text === undefined ? undefined : Number(text);
};

const formatIn = (call: Call): 'csv' | 'ndjson' => {
  const format = call.flag('json') ? 'ndjson' : (call.option('format') ?? 'csv');
  if (format !== 'csv' && format !== 'ndjson') throw usage('--format is csv or ndjson');
  return format;
};

export const exportCommand: Command = {
  words: 'audit export',
  summary: 'Every decision with its money, who made it and when, as one file',
  description:
    'From history itself, streamed. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
  options: [
    ['--casino <id>', 'one casino alone'],
    ['--from <time>', 'recorded then or later'],
    ['--to <time>', 'recorded then or earlier'],
    ['--format <format>', 'csv or ndjson; csv unless told'],
  ],
  examples: ['cointill audit export --casino 41 --from 2026-01-01 > decisions.csv'],
  json: decisionSchema,
  rows: true,
  operations: ['exportDecisions'],
  run: async (call) => {
    const [format, casino, from, to] = [formatIn(call), casinoIn(call), timeIn(call, 'from'), timeIn(call, 'to')];
    if (!isDirect()) {
      const body = { format, entity_id: casino, from: from?.toISOString(), to: to?.toISOString() };
      for await (const part of call.service().stream('POST', '/operator/audit/export', { body })) await written(part);
      return exit.done;
    }
    const { exportDecisions } = await import('#audit');
    const stores = await openStores();
    try {
      for await (const text of exportDecisions({ log: stores.log, format, casino, from, to })) {
        call.signal.throwIfAborted();
        await written(text);
      }
      return exit.done;
    } finally {
      await stores.close();
    }
  },
};
