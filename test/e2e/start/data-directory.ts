import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Scratch = { readonly path: string; readonly remove: () => void };

/** With what a path may hold: blanks, quotes, other alphabets. */
export const scratchDirectory = (name = 'e2e "o\'clock" Кошелёк'): Scratch => {
  const path = mkdtempSync(join(tmpdir(), `cointill ${name} `));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
};
