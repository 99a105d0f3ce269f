import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { AuditPlace } from '#partners';

/** Where a stream ends. */
export type Head = { readonly stream: string; readonly revision: number; readonly hash: string };

/** What is signed: everything that was written up to `position`, in one hash. */
export type SealBody = {
  readonly format: 'cointill seal 1';
  readonly number: number;
  readonly sealed_at: string;
  /** The last place in the log that is under it. */
  readonly position: string | null;
  readonly events: number;
  readonly streams: number;
  /** Of the Merkle tree over the heads of all streams, in the order of their names' bytes. */
  readonly root: string;
  /** The last entry of the audit trail. None: there was none, or it is of a release that sealed no trail. */
  readonly trail?: AuditPlace;
  /** Events that were not as they had been written when it was made. */
  readonly breaks: number;
  /** SHA-256 of the seal before it, null on the first. */
  readonly previous: string | null;
  /** SHA-256 of the public key, as DER. */
  readonly key: string;
};

export type Seal = SealBody & { readonly signature: string };

const textOf = (value: object): string => canonicalize(value) ?? '';

export const leafOf = ({ stream, revision, hash }: Head): string => textOf({ hash, revision, stream });

export const sealHash = (seal: Seal): string => createHash('sha256').update(textOf(seal)).digest('hex');

export const keyHash = (publicKey: string): string =>
  createHash('sha256')
    .update(createPublicKey(publicKey).export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** Whoever may change the public half would have each new seal taken for none. */
export const isPairOf = (publicKey: string, privateKey: string): boolean => keyHash(publicKey) === keyHash(privateKey);

export const signSeal = (body: SealBody, privateKey: string): Seal => ({
  ...body,
  signature: sign(null, Buffer.from(textOf(body)), privateKey).toString('base64'),
});

/** What is wrong with it; undefined: whoever has the private half of this key has signed it. */
export const sealProblem = ({ signature, ...body }: Seal, publicKey: string): string | undefined => {
  if (body.format !== 'cointill seal 1') return 'it is no seal of this format';
  if (body.key !== keyHash(publicKey)) return 'it was signed with another key';
  const isSigned = verify(null, Buffer.from(textOf(body)), publicKey, Buffer.from(signature, 'base64'));
  return isSigned ? undefined : 'its signature does not fit';
};
