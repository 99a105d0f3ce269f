import { existsSync } from 'node:fs';
import { textIn } from '#platform/from-files';
import { nextSecretsKey, SecretsKeyError } from '#platform/secrets';
import { isStrong } from '#platform/strength';

const OPTION = '--new-key-file';

const heldBy = (file: string): string => {
  const found = textIn(OPTION, file);
  if ('problem' in found) throw new SecretsKeyError(found.problem);
  return found.text;
};

/** The key in a file, made where there is none, as a start reads SECRETS_KEY_FILE: none that every start refuses. */
export const nextKeyIn = async (file: string, current: string): Promise<string> => {
  if (!existsSync(file)) return nextSecretsKey(OPTION, file);
  const next = heldBy(file);
  if (!isStrong(next))
    throw new SecretsKeyError(
      `${OPTION} must hold at least 128 bits (openssl rand -hex 32 makes one that has), or name a file that is to be made: ${file}`,
    );
  if (next === current) throw new SecretsKeyError(`${OPTION} holds the SECRETS_KEY that is to be replaced: ${file}`);
  return next;
};
