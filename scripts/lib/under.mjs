import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All that is no folder, however deep, each with its path. Folder by folder: the first releases of Node 20 know no
 * `recursive` there, and would show what lies directly in it alone.
 */
export const under = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? under(path) : [{ path, name: entry.name, isFile: entry.isFile() }];
  });
