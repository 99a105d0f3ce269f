import { hkdfSync } from 'node:crypto';
import { type Ring, ringOf } from './ring.ts';
import { headOf, nameOn, openWith, SealBroken, sealWith } from './sealing.ts';

export type Secrets = {
  /** A key of its own for each purpose, so that none can be used in another's place. */
  readonly derive: (purpose: string) => Buffer;
  /** For what must be read again, such as the secret that signs deliveries. */
  readonly seal: (purpose: string, text: string) => Buffer;
  /** Throws `SealBroken` for anything but what `seal` gave for this purpose under one of these keys. */
  readonly open: (purpose: string, sealed: Buffer) => string;
  /** What everything begins with that is sealed with the newest key. */
  readonly newest: () => Buffer;
  /** Learns of keys that another process has made since; nothing where there can be none. */
  readonly refresh: () => Promise<void>;
};

const KEY_BYTES = 32;

const derivedFrom = (root: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, 'cointill', purpose, KEY_BYTES));

const SEALING = 'sealed secrets';

type Newest = Pick<Secrets, 'refresh'> & { readonly ring: () => Ring };

/** Keys of different purposes tell nothing of each other or of their root. */
export const secretsOf = ({ ring, refresh }: Newest): Secrets => {
  const newest = () => {
    const [key] = ring().sealing;
    return key
      ? { key: derivedFrom(key.root, SEALING), name: Buffer.from(key.name, 'hex') }
      : { key: derivedFrom(ring().root, SEALING) };
  };
  const named = (purpose: string, name: Buffer): Buffer => {
    const found = ring().sealing.find((each) => each.name === name.toString('hex'));
    if (!found) throw new SealBroken(purpose);
    return derivedFrom(found.root, SEALING);
  };
  return {
    derive: (purpose) => derivedFrom(ring().root, purpose),
    seal: (purpose, text) => {
      const { key, name } = newest();
      return sealWith(key, purpose, text, name);
    },
    open: (purpose, sealed) => {
      const name = nameOn(sealed);
      if (name === 'unknown') throw new SealBroken(purpose);
      return openWith(name ? named(purpose, name) : derivedFrom(ring().root, SEALING), purpose, sealed, name);
    },
    newest: () => headOf(newest().name),
    refresh,
  };
};

/** `root` may be any text. */
export const createSecrets = (root: string): Secrets => {
  const ring = ringOf(root);
  return secretsOf({ ring: () => ring, refresh: async () => undefined });
};
