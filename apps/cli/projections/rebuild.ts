import type { Call, Command } from '../command.ts';
import { readDocument, schemaOfOne } from '../operators/document.ts';
import { exit, usage } from '../parts/exit.ts';
import type { Out } from '../parts/out.ts';
import type { Row } from '../parts/table.ts';
import type { Service } from '../service/service.ts';
import { follow, pathOf } from './follow.ts';

type Differences = {
  readonly at: string;
  readonly tables: readonly { table: string; missing: number; extra: number; changed: number }[];
  readonly rows: readonly { table: string; kind: string; key: Row; fields: Readonly<Record<string, Row>> }[];
};

const inWords = (fields: Readonly<Record<string, Row>>): string =>
  Object.entries(fields)
    .map(([name, { live, rebuilt }]) => `${name}: ${live ?? '-'} -> ${rebuilt ?? '-'}`)
    .join(', ');

const countOf = ({ tables }: Differences): number =>
  tables.reduce((sum, { missing, extra, changed }) => sum + missing + extra + changed, 0);

/** What is missing from the live rows, is there too much, or differs: live -> rebuilt. */
const showDifferences = (out: Out, found: Differences): void =>
  out.answer(found, () => {
    out.table(found.tables, ['table', 'missing', 'extra', 'changed']);
    for (const { table, kind, key, fields } of found.rows) {
      const row = Object.entries(key).map(([name, value]) => `${name} ${value}`);
      out.line(`${table} ${row.join(', ')} ${kind}: ${inWords(fields)}`);
    }
    if (countOf(found) > found.rows.length) out.note(`the first ${found.rows.length} of ${countOf(found)} differences`);
  });

const modeOf = ({ flag }: Call): 'switch' | 'check' | 'hold' => {
  if (flag('check') && flag('hold')) throw usage('--check ends with the comparison, --hold waits after it: say one');
  return flag('check') ? 'check' : flag('hold') ? 'hold' : 'switch';
};

const differencesOf = async (service: Service, name: string): Promise<Differences> =>
  (await service.call('GET', `${pathOf(name)}/differences`)) as Differences;

const document = readDocument();
export const rebuild: Command = {
  words: 'projections rebuild',
  summary: 'Fill a read model anew from the first event, and follow that to its end',
  description:
    'Readers see the old rows until the new ones are complete. Ctrl-C ends the watching, not the rebuild. With --check ' +
    'or --hold it prints how the new rows differ from the live ones; --check ends with 1 where they do.',
  args: [['<name>', 'of `cointill projections`']],
  options: [
    ['--check', 'compare the new rows with the live ones, and drop them'],
    ['--hold', 'compare them, and let them wait for `cointill projections switch`'],
    ['--detach', 'ask for it and do not wait'],
  ],
  examples: ['cointill projections rebuild deposits', 'cointill projections rebuild deposits --check --json'],
  json: schemaOfOne(['rebuildProjection', 'getProjection', 'projectionDifferences'], document),
  operations: ['rebuildProjection'],
  run: async (call) => {
    const { args, out } = call;
    const [name = ''] = args;
    const mode = modeOf(call);
    const service = call.service();
    const begun = await service.call('POST', `${pathOf(name)}/rebuild`, { body: { mode } });
    if (call.flag('detach')) {
      out.answer(begun, () => out.note(`the rebuild of ${name} has begun`));
      return exit.done;
    }
    await follow(call, service, name);
    if (mode === 'switch') {
      out.answer(await service.call('GET', pathOf(name)), () => out.note(`${name} is rebuilt`));
      return exit.done;
    }
    const found = await differencesOf(service, name);
    showDifferences(out, found);
    if (mode === 'hold') out.note(`it waits: \`cointill projections switch ${name}\`, or cancel`);
    return mode === 'check' && countOf(found) > 0 ? exit.finding : exit.done;
  },
};
