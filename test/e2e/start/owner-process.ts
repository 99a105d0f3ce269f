import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';

export type Owner = {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly stderr: () => string;
  /** The server, once it serves; rejects with what the owner said when it gave up. */
  readonly server: Promise<{ url: string; pid: number }>;
};

export type OwnerOptions = Pick<SpawnOptions, 'uid' | 'gid' | 'env' | 'cwd'> & {
  readonly program?: string;
  /** The Node that runs it. */
  readonly node?: string;
  readonly prefix?: readonly string[];
  /** That its Postgres bears, instead of the one that its directory has here. */
  readonly mark?: string | undefined;
};

const ownerProgram = join(import.meta.dirname, 'owner.ts');

const firstLine = async (child: ChildProcess, ended: Promise<number | null>, stderr: () => string) => {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    if (text.includes('\n')) child.stdout?.emit('line');
  });
  const gaveUp = ended.then(() => Promise.reject(new Error(stderr().trim())));
  if (child.stdout) await Promise.race([once(child.stdout, 'line'), gaveUp]);
  return JSON.parse(text) as { url: string; pid: number };
};

export const startOwner = (
  dataDir: string,
  { program, node = process.execPath, prefix = [], mark, ...options }: OwnerOptions = {},
): Owner => {
  const [command = '', ...args] = [...prefix, node, program ?? ownerProgram, dataDir, ...(mark ? [mark] : [])];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const server = firstLine(child, ended, () => said);
  server.catch(() => undefined);
  return { child, ended, stderr: () => said, server };
};

export const kill = async ({ child, ended }: Owner, signal: NodeJS.Signals): Promise<number | null> => {
  child.kill(signal);
  return ended;
};

export const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};
