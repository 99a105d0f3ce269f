import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';
import type { Layout } from './layout.ts';
import { restoreLibraryLinks } from './library-links.ts';
import { placesForCopies, readableCopy } from './native-copy.ts';
import { canGiveFilesTo } from './ownership.ts';
import { installedNative, programOf } from './package.ts';
import { runAs } from './run.ts';

export type Programs = { readonly account: Account; readonly native: string };

/** initdb hands its own path to a shell between double quotes, and Postgres cuts paths at 1024 bytes. */
const canBeQuoted = (path: string): boolean => !/["$`\\\n]/.test(path) && Buffer.byteLength(path) < 800;

const readableByAll = (path: string): boolean => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o004) !== 0;
};

const sharedFiles = ['share/postgresql/postgres.bki', 'share/postgresql/timezonesets/Default'];

const runs = async (account: Account, native: string): Promise<string | undefined> => {
  if (account.identity.uid !== undefined && !sharedFiles.every((file) => readableByAll(join(native, file)))) {
    return `${native} is not readable by every user`;
  }
  const { code, output } = await runAs(account, [programOf(native, 'postgres'), '--version'], '/');
  return code === 0 ? undefined : output.trim().split('\n').at(-1);
};

const linked = (native: string): boolean => {
  try {
    restoreLibraryLinks(native);
    return true;
  } catch {
    return false;
  }
};

/** One after the other, because a copy is made only when nothing before it works. */
function* candidates(): Generator<string> {
  const installed = installedNative();
  if (canBeQuoted(installed) && linked(installed)) yield installed;
  for (const place of placesForCopies().filter(canBeQuoted)) {
    const copy = readableCopy(installed, place);
    if (copy !== undefined) yield copy;
  }
}

/** Asked before anything is copied for it. */
const isPossible = async (account: Account, layout: Layout): Promise<boolean> =>
  account.owner === undefined ||
  (canGiveFilesTo(account, layout.dataDir) && (await runAs(account, ['/bin/sh', '-c', ':'], '/')).code === 0);

/** The first pair of a user and a place from which that user can really run Postgres. */
export const findPrograms = async (accounts: readonly Account[], layout: Layout): Promise<Programs> => {
  let reason = 'no other user than root to run it as';
  for (const account of accounts) {
    if (!(await isPossible(account, layout))) continue;
    for (const native of candidates()) {
      const failure = await runs(account, native);
      if (failure === undefined) return { account, native };
      reason = failure;
    }
  }
  throw new EmbeddedPostgresError(
    `no Postgres can be run for DATA_DIR ${layout.dataDir} (${reason}): run as an ordinary user, or set DATABASE_URL`,
  );
};
