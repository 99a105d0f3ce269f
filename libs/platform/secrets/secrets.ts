import { hkdfSync } from 'node:crypto';
import { openWith, sealWith } from './sealing.ts';

export type Secrets = {
  /** A key of its own for each purpose, so that none can be used in another's place. */
  readonly derive: (purpose: string) => Buffer;
  /** For what must be read again, such as the secret that signs deliveries. */
  readonly seal: (purpose: string, text: string) => Buffer;
  /** Throws `SealBroken` for anything but what `seal` gave for this purpose under this root. */
  readonly open: (purpose: string, sealed: Buffer) => string;
};

const KEY_BYTES = 32;

/** `root` may be any text; keys of different purposes tell nothing of each other or of it. */
export const createSecrets = (root: string): Secrets => {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', root, 'cointill', purpose, KEY_BYTES));
  const sealingKey = derive('sealed secrets');
  return {
    derive,
    seal: (purpose, text) => sealWith(sealingKey, purpose, text),
    open: (purpose, sealed) => openWith(sealingKey, purpose, sealed),
  };
};
