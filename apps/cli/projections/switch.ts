import type { Command } from '../command.ts';
import { answerSchema, readDocument } from '../operators/document.ts';
import { exit } from '../parts/exit.ts';
import { follow, pathOf } from './follow.ts';

const document = readDocument();
const { getProjection } = document.operations;

export const switchTables: Command = {
  words: 'projections switch',
  summary: 'Let the rows of a held rebuild take the place of the live ones',
  args: [['<name>', 'of `cointill projections`']],
  examples: ['cointill projections switch deposits --yes'],
  json: getProjection ? answerSchema(getProjection, document) : {},
  operations: ['switchProjection'],
  run: async (call) => {
    const { args, out, confirm } = call;
    const [name = ''] = args;
    await confirm(`The rows of ${name} that readers see are replaced and dropped`, 'switch');
    const service = call.service();
    await service.call('POST', `${pathOf(name)}/switch`);
    await follow(call, service, name);
    out.answer(await service.call('GET', pathOf(name)), () => out.note(`${name} is rebuilt`));
    return exit.done;
  },
};
