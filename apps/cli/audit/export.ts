import type { ExportEnd, Finding, Told } from '#audit';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exit, usage } from '../parts/exit.ts';
import { cutOff, linesIn, sentLine } from '../parts/lines.ts';
import { written } from '../parts/written.ts';
import type { Service } from '../service/service.ts';
import { lineOf } from './findings.ts';
import { isDirect } from './named.ts';
import { decisionSchema } from './shapes.ts';
import { openStores } from './stores.ts';
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

type Asked = { readonly casino: number | undefined; readonly from: Date | undefined; readonly to: Date | undefined };

async function* directly(asked: Asked, signal: AbortSignal): AsyncGenerator<readonly Told[]> {
  const [{ toldDecisions }, stores] = await Promise.all([import('#audit'), openStores()]);
  try {
    for await (const page of toldDecisions({ log: stores.log, pool: stores.pool, ...asked })) {
      signal.throwIfAborted();
      yield page;
    }
  } finally {
    await stores.close();
  }
}

const isEnd = (line: Told | ExportEnd): line is ExportEnd => 'end' in line;

/** In lines, whatever is printed of them: so what is wrong is heard here, too. It is whole where its own end says so. */
async function* overService(service: Service, { casino, from, to }: Asked): AsyncGenerator<readonly Told[]> {
  const asked = { entity_id: casino, from: from?.toISOString(), to: to?.toISOString() };
  const body = { format: 'ndjson', with_end: true, ...asked };
  let [lines, end] = [0, undefined as ExportEnd | undefined];
  for await (const texts of linesIn(service.stream('POST', '/operator/audit/export', { body }))) {
    const page = texts.map((text) => sentLine<Told | ExportEnd>(text));
    end ??= page.find(isEnd);
    const told = page.filter((line): line is Told => !isEnd(line));
    lines += told.length;
    yield told;
  }
  if (end?.end.lines !== lines) throw cutOff();
}

const isFinding = (told: Told): told is Finding => 'problem' in told;

export const exportCommand: Command = {
  words: 'audit export',
  summary: 'Every decision with its money, who made it and when, as one file',
  description:
    'From history itself, streamed. What a spreadsheet would run as a formula, whatever its separator, is behind an ' +
    'apostrophe. What keeps the decisions of a deposit from being told is a line in their place, and on stderr; it ends ' +
    'with 1 then.',
  options: [
    ['--casino <id>', 'one casino alone'],
    ['--from <time>', 'recorded then or later; a day is one of UTC'],
    ['--to <time>', 'recorded then or earlier; a day up to its end'],
    ['--format <format>', 'csv or ndjson; csv unless told'],
  ],
  examples: ['cointill audit export --casino 41 --from 2026-01-01 > decisions.csv'],
  json: decisionSchema,
  rows: true,
  operations: ['exportDecisions'],
  run: async (call) => {
    const [format, asked] = [
      formatIn(call),
      { casino: casinoIn(call), from: timeIn(call, 'from'), to: timeIn(call, 'to') },
    ];
    const { asText } = await import('#audit');
    let code: ExitCode = exit.done;
    async function* heard(pages: AsyncIterable<readonly Told[]>): AsyncGenerator<readonly Told[]> {
      for await (const page of pages) {
        for (const finding of page.filter(isFinding)) {
          code = exit.finding;
          call.out.note(lineOf(finding));
        }
        yield page;
      }
    }
    const pages = isDirect() ? directly(asked, call.signal) : overService(call.service(), asked);
    for await (const text of asText(heard(pages), format)) if (!(await written(text))) break;
    return code;
  },
};
