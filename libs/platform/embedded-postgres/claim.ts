import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { lifelineName } from './lifeline.ts';
import type { Place } from './place.ts';

/** What an owner writes into its claim. Those of older releases are empty. */
export type Said = Place & {
  readonly id: string;
  readonly host?: string;
  readonly lifeline?: boolean;
  /** The mark of the directory that was claimed: a copy of it has the claim too. */
  readonly directory?: string;
};

export type Claim = {
  readonly file: string;
  readonly pid: number;
  readonly start: string;
  readonly said?: Said | undefined;
};

const pattern = /^owner\.(\d+)\.([\w-]+)\.lock$/;

/** An older release that is started beside this one knows an owner by this name, in the same namespace. */
export const claimName = (pid: number, start: string): string => `owner.${pid}.${start}.lock`;

const isId = (value: unknown): value is string => typeof value === 'string' && /^\w+$/.test(value);

const parse = (text: string): Said | undefined => {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null && 'id' in said && isId(said.id) ? (said as Said) : undefined;
  } catch {
    return undefined;
  }
};

export type Seen = { readonly text: string; readonly touched: number };

const codeOf = (error: unknown): unknown => (isNativeError(error) && 'code' in error ? error.code : undefined);

/** Another user's may be kept from this one: then it says nothing, as those of older releases do. */
const lookFromOutside = (path: string): Seen | undefined => {
  const touched = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return touched === undefined ? undefined : { text: '', touched };
};

/** By opening it: only then a network file system tells what another machine has done. Undefined once it is gone. */
export const look = (path: string): Seen | undefined => {
  try {
    const descriptor = openSync(path, 'r');
    try {
      return { text: readFileSync(descriptor, 'utf8'), touched: fstatSync(descriptor).mtimeMs };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'EACCES') return lookFromOutside(path);
    throw error;
  }
};

/** Of another way to a directory of which a claim is known. Not joined, which would take `..` for a word: the way may lead through a link. */
export const holds =
  (file: string, text: string) =>
  (directory: string): boolean => {
    try {
      return look(`${directory}/${file}`)?.text === text;
    } catch {
      return false;
    }
  };

export const claimsIn = (dataDir: string): Claim[] =>
  readdirSync(dataDir).flatMap((file) => {
    const [, pid, start] = pattern.exec(file) ?? [];
    const seen = pid && start ? look(join(dataDir, file)) : undefined;
    return pid && start && seen ? [{ file, pid: Number(pid), start, said: parse(seen.text) }] : [];
  });

export const removeClaim = (dataDir: string, { file, said }: Claim): void => {
  rmSync(join(dataDir, file), { force: true });
  if (said?.lifeline) rmSync(join(dataDir, lifelineName(said.id)), { force: true });
};
