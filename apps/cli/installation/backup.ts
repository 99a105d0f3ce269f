import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { exit, refused, usage } from '../parts/exit.ts';
import { unmade, unread } from './archive-file.ts';

const json = {
  type: 'object',
  properties: {
    file: { type: 'string' },
    data_dir: { type: 'string' },
    holds_key: { type: 'boolean', description: 'whether whoever has the file reads every secret' },
    made_at: { type: 'string', format: 'date-time' },
  },
  required: ['file', 'data_dir', 'holds_key'],
};

const ELSEWHERE = 'DATABASE_URL names a Postgres of your own: docs/how-to/back-up.md says how to back that up';
const GUARD = 'It holds the key of secrets: whoever has the file reads them all. It is readable for you alone';

export const backup: Command = {
  words: 'backup',
  summary: 'Copy the embedded installation into one file, while it runs or not',
  description:
    'Its Postgres and the key in DATA_DIR, as they are when the command ends. Reads the settings of the service ' +
    '(DATA_DIR). The file appears when it is whole.',
  args: [['<file>', 'what to make; a file that is there stays']],
  examples: ['cointill backup /backups/cointill-2026-11-22.tar.gz'],
  json,
  run: async ({ args, out, signal }) => {
    const [{ explained }, { backUp }, { readConfiguration }] = await Promise.all([
      import('./installation.ts'),
      import('#ground'),
      import('#platform/configuration'),
    ]);
    const file = resolve(args[0] ?? '');
    await explained(async () => {
      const { database, dataDir, secretsKey } = readConfiguration(process.env);
      if (database.kind !== 'embedded') throw usage(ELSEWHERE);
      const keepsKey = secretsKey === undefined;
      const { holdsKey } = await backUp(file, { dataDir, keepsKey, signal }).catch((error: unknown) => {
        throw unmade(file, error) ?? error;
      });
      out.answer({ file, data_dir: dataDir, holds_key: holdsKey }, () => {
        out.note(`${file} is whole`);
        out.note(holdsKey ? GUARD : 'It does not hold SECRETS_KEY, which you keep: without it no secret can be read');
      });
    });
    return exit.done;
  },
};

export const restore: Command = {
  words: 'restore',
  summary: 'Make a data directory of what cointill backup has made',
  description:
    'DATA_DIR names it; no service may run on it. What is there already is refused, and with --yes moved aside. ' +
    'Every sum is checked before anything is exchanged.',
  args: [['<file>', 'what cointill backup has made']],
  examples: ['DATA_DIR=.data-restored cointill restore /backups/cointill-2026-11-22.tar.gz'],
  json,
  run: async ({ args, flag, out, signal }) => {
    const [{ explained }, { restoreBackup }, { readConfiguration }, { ArchiveBroken }] = await Promise.all([
      import('./installation.ts'),
      import('#ground'),
      import('#platform/configuration'),
      import('#platform/archive'),
    ]);
    const file = resolve(args[0] ?? '');
    await explained(async () => {
      const { database, dataDir } = readConfiguration(process.env);
      if (database.kind !== 'embedded') throw usage(ELSEWHERE);
      try {
        // Behind this an error of the file would be taken for one of DATA_DIR.
        await access(file, constants.R_OK);
        const { files, made_at } = await restoreBackup(file, { dataDir, over: flag('yes'), signal });
        const holdsKey = files['secrets.key'] !== undefined;
        out.answer({ file, data_dir: dataDir, holds_key: holdsKey, made_at }, () => {
          out.note(`${dataDir} is what it was when the backup of ${made_at} ended`);
          if (!holdsKey) out.note('Start it with the SECRETS_KEY of then');
        });
      } catch (error) {
        if (error instanceof ArchiveBroken) throw refused(`${file} is no whole backup: ${error.message}`);
        throw unread(file, error) ?? error;
      }
    });
    return exit.done;
  },
};
