import { readFileSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { secretNames } from './secret.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

type Found = { readonly text: string } | { readonly problem: string };

const reasonOf = (error: unknown): string => (isNativeError(error) ? error.message : String(error));

const textIn = (setting: string, path: string): Found => {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: `${setting} names a file that is empty: ${path}` } : { text };
  } catch (error) {
    return { problem: `${setting} must be a file that can be read: ${reasonOf(error)}` };
  }
};

const found = (variables: Variables, name: string): Found | undefined => {
  const setting = `${name}_FILE`;
  const path = variables[setting]?.trim();
  if (!path) return undefined;
  if (variables[name]?.trim()) return { problem: `${name} and ${setting} are both set: leave one of them out` };
  return textIn(setting, path);
};

export type WithFiles = { readonly variables: Variables; readonly problems: readonly string[] };

/**
 * The variables with what their files hold. An empty file is refused: to count as unset, as an empty variable does,
 * it would quietly start the service with another database, or with other tokens, than the file was made for.
 */
export const withFiles = (variables: Variables): WithFiles => {
  const texts: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretNames) {
    const secret = found(variables, name);
    if (secret === undefined) continue;
    if ('problem' in secret) problems.push(secret.problem);
    else texts[name] = secret.text;
  }
  return { variables: { ...variables, ...texts }, problems };
};
