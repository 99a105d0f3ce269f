import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { usage } from '../parts/exit.ts';

/** What seals and proofs were signed with. */
export const publicKeyIn = async (file: string): Promise<string> => {
  try {
    const key = await readFile(file, 'utf8');
    createPublicKey(key);
    return key;
  } catch {
    throw usage(`${file} is no public key as PEM`);
  }
};
