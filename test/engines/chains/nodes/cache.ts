import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { wholeFolder } from '../../whole-folder.ts';

/** Outside the checkout: what takes minutes to build serves every checkout of this machine. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cointill', 'chain-nodes');

export const cached = (name: string, fill: (incoming: string) => Promise<unknown>): Promise<string> =>
  wholeFolder(join(CACHE, name), fill);

const execute = promisify(execFile);

type Surroundings = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv };

export const outputOf = async (command: string, args: readonly string[], { cwd, env }: Surroundings = {}) =>
  (await execute(command, [...args], { maxBuffer: 64_000_000, cwd, env: { ...process.env, ...env } })).stdout;

export const checkHash = async (file: string, algorithm: 'sha256' | 'sha512', wanted: string): Promise<void> => {
  const encoding = algorithm === 'sha256' ? 'hex' : 'base64';
  const found = createHash(algorithm)
    .update(await readFile(file))
    .digest(encoding);
  if (found !== wanted) throw new Error(`${file} has the ${algorithm} ${found}, and not the pinned ${wanted}`);
};
