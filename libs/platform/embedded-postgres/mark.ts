import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';

/**
 * The name that every process of this very data directory bears on its command line, for all users to see. It comes
 * from the directory's inode: a copy of the directory has another, a moved one keeps it.
 */
export const markOf = (data: string): string => {
  const { dev, ino } = statSync(data, { bigint: true });
  return `cointill-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 12)}`;
};
