import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isNativeError } from 'node:util/types';

export type Variables = Readonly<Record<string, string | undefined>>;

type Found = { readonly text: string } | { readonly problem: string };

const reasonOf = (error: unknown): string => (isNativeError(error) ? error.message : String(error));

/** Whoever reads another encoding has other characters, and may think a guess at them a strong key. */
const decoded = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return undefined;
  }
};

/** A comment or a second key on a line of its own would be part of the value. */
const isOneValue = (text: string): boolean => !/\p{Cc}/u.test(text) || text.includes('-----BEGIN ');

/** The certificates of all authorities of a system fit into it several times over. */
const MOST_BYTES = 2 ** 20;

/** What says nothing of its size, as in /proc, is read no further either. */
const upToMost = (descriptor: number): Buffer => {
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(descriptor, bytes, length, bytes.length - length, null);
  return bytes.subarray(0, length);
};

const judged = (setting: string, path: string, bytes: Buffer): Found => {
  if (bytes.length > MOST_BYTES) return { problem: `${setting} names a file of more than 1 MiB: ${path}` };
  const text = decoded(bytes);
  if (text === undefined) return { problem: `${setting} names a file that is no UTF-8: ${path}` };
  if (text === '') return { problem: `${setting} names a file that is empty: ${path}` };
  return isOneValue(text) ? { text } : { problem: `${setting} names a file of more than one line: ${path}` };
};

/** A pipe gives what it holds once, and this process may be started again; who waits for one hears no signal. */
const ofFile = (setting: string, path: string): Found => {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return fstatSync(descriptor).isFile()
      ? judged(setting, path, upToMost(descriptor))
      : { problem: `${setting} must be a file that can be read, and no pipe, device or directory: ${path}` };
  } finally {
    closeSync(descriptor);
  }
};

/** What a file holds that a setting, or an option, names for its value. */
export const textIn = (setting: string, path: string): Found => {
  try {
    return ofFile(setting, path);
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
export const withFiles = (variables: Variables, names: readonly string[]): WithFiles => {
  const texts: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names) {
    const value = found(variables, name);
    if (value === undefined) continue;
    if ('problem' in value) problems.push(value.problem);
    else texts[name] = value.text;
  }
  return { variables: { ...variables, ...texts }, problems };
};
