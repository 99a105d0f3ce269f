import type { Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
import type { Installation } from './installation.ts';

const json = {
  type: 'object',
  properties: { resealed: { type: 'integer', minimum: 0 }, finished: { type: 'boolean' } },
  required: ['resealed', 'finished'],
};

const KEY_IS_SET = 'SECRETS_KEY is set, and you keep it: name a file for the new one with --new-key-file';

const partsOf = ({ pool, configuration, actor }: Installation, signal: AbortSignal) => ({
  pool,
  configuration,
  actor,
  signal,
});

export const secretsRotate: Command = {
  words: 'secrets rotate',
  summary: 'Replace SECRETS_KEY, and seal with new keys what the old ones have sealed',
  description:
    'Reads the settings of the service, which may be running. The key in DATA_DIR is replaced at once. ' +
    'One of your own (SECRETS_KEY) is valid beside the new one, which is made in the named file, until ' +
    '`cointill secrets finish`. Interrupted, it goes on when it is run again.',
  options: [['--new-key-file <file>', 'where the next SECRETS_KEY is, or is made']],
  examples: ['cointill secrets rotate', 'cointill secrets rotate --new-key-file next.key'],
  json,
  run: async ({ option, confirm, out, signal }) => {
    await confirm('The SECRETS_KEY of this installation is replaced', 'rotate');
    const [{ withInstallation }, { rotateKeptSecrets, rotateSecretsTo }] = await Promise.all([
      import('./installation.ts'),
      import('#ground'),
    ]);
    const file = option('new-key-file');
    const rotated = await withInstallation((installation) => {
      const { secretsKey } = installation.configuration;
      if (!secretsKey && !file) return rotateKeptSecrets(partsOf(installation, signal));
      if (!file) throw usage(KEY_IS_SET);
      if (!secretsKey) throw usage('the key lies in DATA_DIR and is replaced there: leave --new-key-file out');
      return rotateSecretsTo(partsOf(installation, signal), secretsKey, file);
    });
    out.answer(rotated, () => {
      out.note(`Sealed anew: ${rotated.resealed}`);
      if (rotated.finished) out.note('The key of DATA_DIR is a new one; the old one opens nothing any more');
      else out.note(`Both keys are valid: make that of ${file} the SECRETS_KEY of every instance, then secrets finish`);
    });
    return exit.done;
  },
};

export const secretsFinish: Command = {
  words: 'secrets finish',
  summary: 'End the rotation of SECRETS_KEY: the old key opens nothing any more',
  description: 'With the new key as SECRETS_KEY, when every instance was started with it.',
  examples: ['SECRETS_KEY_FILE=next.key cointill secrets finish'],
  json,
  run: async ({ confirm, out, signal }) => {
    await confirm('An instance that has the old SECRETS_KEY cannot start any more', 'finish');
    const [{ withInstallation }, { finishSecrets }] = await Promise.all([
      import('./installation.ts'),
      import('#ground'),
    ]);
    const rotated = await withInstallation((installation) => {
      const { secretsKey } = installation.configuration;
      if (!secretsKey)
        throw usage('SECRETS_KEY is not set: a key in DATA_DIR is replaced by `cointill secrets rotate`');
      return finishSecrets(partsOf(installation, signal), secretsKey);
    });
    out.answer(rotated, () =>
      out.note(
        rotated.finished
          ? 'The old key opens nothing any more'
          : 'No rotation of SECRETS_KEY is under way: nothing is changed',
      ),
    );
    return exit.done;
  },
};
