import type { Command } from '../command.ts';
import { exit, refused } from '../parts/exit.ts';
import type { Installation } from './installation.ts';

const json = {
  type: 'object',
  properties: { taken_up: { type: 'boolean' }, taken_back: { type: ['string', 'null'], format: 'uuid' } },
  required: ['taken_up', 'taken_back'],
};

const HISTORY =
  'this installation has given numbers out, and what came of them is in the log that it has: let EVENTSTORE_URL name that';

const COUNTED =
  'the history of the log that this installation has was counted in this database, and nothing takes it out again: where ' +
  "it is another installation's, whose log the first start named by mistake, begin with a fresh database; where it is its " +
  'own, let EVENTSTORE_URL name that log';

const ANOTHER =
  'this installation has a log by now, in the place of the one that was let go: where that one is wrong, let it go first, ' +
  'with `cointill log take-up`';

const inUse = (by: readonly string[]) => refused(`stop all processes first; there run ${by.join('; ')}`);

const takeUp = async ({ pool, actor }: Installation) => {
  const { letLogGo } = await import('#ground');
  const found = await letLogGo(pool, actor);
  if (found.outcome === 'has_history') throw refused(HISTORY);
  if (found.outcome === 'has_counted') throw refused(COUNTED);
  if (found.outcome === 'in_use') throw inUse(found.by);
  const isTakenUp = found.outcome === 'let_go';
  const note = isTakenUp
    ? 'The log that EVENTSTORE_URL names at the next start is the one of this installation'
    : 'No log is known to have the name of this installation: there is nothing to do';
  return { answer: { taken_up: isTakenUp, taken_back: null }, note };
};

const takeBack = async ({ pool, actor }: Installation) => {
  const { takeLogBack } = await import('#ground');
  const found = await takeLogBack(pool, actor);
  if (found.outcome === 'has_another') throw refused(ANOTHER);
  if (found.outcome === 'in_use') throw inUse(found.by);
  const name = found.outcome === 'taken_back' ? found.installation : null;
  const note = name
    ? `The log of ${name} is refused no more: let EVENTSTORE_URL name it at the next start`
    : 'No log was let go: there is nothing to do';
  return { answer: { taken_up: false, taken_back: name }, note };
};

export const logTakeUp: Command = {
  words: 'log take-up',
  summary: 'Let a new installation go on with another log than the one that it named by mistake',
  description:
    'Where the first start had a wrong EVENTSTORE_URL and gave the log there its name, the right one is refused, since it ' +
    'has none. The next start then gives it one, and the log that was named by mistake is refused from then on. Only while no number was given out and nothing runs: stop all ' +
    'processes first. With --back the log that was let go last is refused no more, until the next start has named another.',
  options: [['--back', 'take back the log that was let go last, by mistake']],
  examples: ['DATABASE_URL=postgres://… cointill log take-up', 'DATABASE_URL=postgres://… cointill log take-up --back'],
  json,
  run: async ({ confirm, flag, out }) => {
    const isBack = flag('back');
    const what = isBack
      ? 'The log that was let go last may be the one of this installation again'
      : 'The log that has the name of this installation is no longer held to be its own, and is refused from then on';
    await confirm(what, isBack ? 'take back' : 'take up');
    const { withInstallation } = await import('./installation.ts');
    const { answer, note } = await withInstallation(isBack ? takeBack : takeUp);
    out.answer(answer, () => out.note(note));
    return exit.done;
  },
};
