import type { Command } from '../command.ts';
import { exit, refused } from '../parts/exit.ts';

const json = { type: 'object', properties: { taken_up: { type: 'boolean' } }, required: ['taken_up'] };

const HISTORY =
  'this installation has given numbers out, and what came of them is in the log that it has: let EVENTSTORE_URL name that';

const COUNTED =
  'the history of the log that this installation has was counted in this database, and nothing takes it out again: where ' +
  "it is another installation's, whose log the first start named by mistake, begin with a fresh database; where it is its " +
  'own, let EVENTSTORE_URL name that log';

export const logTakeUp: Command = {
  words: 'log take-up',
  summary: 'Let a new installation go on with another log than the one that it named by mistake',
  description:
    'Where the first start had a wrong EVENTSTORE_URL and gave the log there its name, the right one is refused, since it ' +
    'has none. The next start then gives it one, and the log that was named by mistake is refused from then on. Only while no number was given out and nothing runs: stop all ' +
    'processes first.',
  examples: ['DATABASE_URL=postgres://… cointill log take-up'],
  json,
  run: async ({ confirm, out }) => {
    await confirm(
      'The log that has the name of this installation is no longer held to be its own, and is refused from then on',
      'take up',
    );
    const [{ withInstallation }, { letLogGo }] = await Promise.all([import('./installation.ts'), import('#ground')]);
    const found = await withInstallation(({ pool, actor }) => letLogGo(pool, actor));
    if (found.outcome === 'has_history') throw refused(HISTORY);
    if (found.outcome === 'has_counted') throw refused(COUNTED);
    if (found.outcome === 'in_use') throw refused(`stop all processes first; there run ${found.by.join('; ')}`);
    const isTakenUp = found.outcome === 'let_go';
    out.answer({ taken_up: isTakenUp }, () =>
      out.note(
        isTakenUp
          ? 'The log that EVENTSTORE_URL names at the next start is the one of this installation'
          : 'No log is known to have the name of this installation: there is nothing to do',
      ),
    );
    return exit.done;
  },
};
