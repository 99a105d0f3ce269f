import type { Command } from '../command.ts';
import { exit } from '../parts/exit.ts';

const json = { type: 'object', properties: { asked: { type: 'boolean' } }, required: ['asked'] };

export const numbersRaise: Command = {
  words: 'numbers raise',
  summary: 'Let numbers go on above what a database that was put back may have given out',
  description:
    'After files of a Postgres of your own were put back as they were (a snapshot of a volume), or the log and the ' +
    'database both: what was restored otherwise is found by itself. The service does it with its next start, or within ' +
    'half a minute where it runs, and logs `alert: numbers_raised`. A process that gives none out any more since somebody ' +
    'else does so in its log (`alert: numbers_shared`) goes on with it: end the other first.',
  examples: ['DATABASE_URL=postgres://… cointill numbers raise'],
  json,
  run: async ({ confirm, out }) => {
    await confirm('Addresses that operators added and that are free leave the pools', 'raise');
    const [{ withInstallation }, { askForRaise }] = await Promise.all([
      import('./installation.ts'),
      import('#counters'),
    ]);
    await withInstallation(({ pool, actor }) => askForRaise(pool, actor));
    out.answer({ asked: true }, () => out.note('The numbers are raised with the next start, or within half a minute'));
    return exit.done;
  },
};
