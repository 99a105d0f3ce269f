import { hkdfSync } from 'node:crypto';

export type Secrets = {
  /** A key of its own for each purpose, so that none can be used in another's place. */
  readonly derive: (purpose: string) => Buffer;
};

const KEY_BYTES = 32;

/** `root` may be any text; keys of different purposes tell nothing of each other or of it. */
export const createSecrets = (root: string): Secrets => ({
  derive: (purpose) => Buffer.from(hkdfSync('sha256', root, 'cointill', purpose, KEY_BYTES)),
});
