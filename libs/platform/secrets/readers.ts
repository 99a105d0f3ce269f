import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { reasonOf } from '../reason/index.ts';
import { SecretsKeyError } from './secrets-key-error.ts';

const OF_GROUP = 0o070;
const PERMISSIONS = 0o777;

/**
 * A file that whoever reads another one can read too: root, who may type a command, is not who the service runs as.
 * By its handle: in a directory of that user, a path may name another file by the time that root gives it away.
 */
export const giveToReadersOf = async (other: string, file: FileHandle): Promise<void> => {
  const [like, is] = await Promise.all([stat(other), file.stat()]);
  const needsGroup = (like.mode & OF_GROUP) !== 0 && is.gid !== like.gid;
  try {
    if (is.uid !== like.uid || needsGroup) await file.chown(like.uid, like.gid);
    if (((is.mode ^ like.mode) & PERMISSIONS) !== 0) await file.chmod(like.mode & PERMISSIONS);
  } catch (error) {
    throw new SecretsKeyError(
      `the next key cannot be given to the owner of ${other} (uid ${like.uid}, gid ${like.gid}), who could not read it ` +
        `then (${reasonOf(error)}): run this as that user`,
    );
  }
};

/** One that lies there already; another name of something else is nobody's to give. */
export const giveKeptToReadersOf = async (other: string, path: string): Promise<void> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { nlink } = await file.stat();
    if (nlink === 1) await giveToReadersOf(other, file);
  } finally {
    await file.close();
  }
};

const ownUid = (): number | undefined => process.geteuid?.();

/** Undefined where it is not its owner that keeps this user from it. */
export const otherOwner = async (file: string): Promise<string | undefined> => {
  const uid = await stat(file).then(
    (found) => found.uid,
    () => undefined,
  );
  if (uid === undefined || uid === ownUid()) return undefined;
  return (
    `${file} belongs to another user (uid ${uid}), and this one (uid ${ownUid()}) cannot read it: ` +
    `chown it to the user that the service runs as (chown ${ownUid()} ${file})`
  );
};
