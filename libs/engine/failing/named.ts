import { readSignal } from '../signals/read-signal.ts';
import type { Target } from '../signals/target.ts';
import { streamOf } from '../take/handle.ts';
import { type Owners, ownersOf } from '../take/owners.ts';
import type { TakeParts } from '../take/parts.ts';

/** A signal that can be read, as it was sent, with the stream of what it is about, however it names that. */
export type Named = { readonly raw: unknown; readonly signalId: string; readonly subject: string };

/** An address may be issued at this very moment: its signal waits behind others of that address at least. */
const nameOf = (target: Target, owners: Owners): string => {
  if (target.by === 'id') return streamOf(target.subject);
  const owner = owners.get(target.address);
  return owner ? streamOf(owner) : `address ${target.address}`;
};

/** Undefined for one that cannot be read: it is rejected, and fails at nothing of ours. */
export const namedOf = async (
  raws: readonly unknown[],
  ownerOfAddress: TakeParts['ownerOfAddress'],
): Promise<readonly (Named | undefined)[]> => {
  const now = new Date().toISOString();
  const read = raws.map((raw) => readSignal(raw, now));
  const owners = await ownersOf(read, ownerOfAddress);
  return read.map((each, nth) =>
    each.kind === 'readable'
      ? { raw: raws[nth], signalId: each.signalId, subject: nameOf(each.target, owners) }
      : undefined,
  );
};
