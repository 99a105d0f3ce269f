import { inParallel } from '#platform/in-parallel';
import type { ReadSignal } from '../signals/read-signal.ts';
import type { Subject } from '../signals/target.ts';
import type { TakeParts } from './parts.ts';

const MOST_AT_ONCE = 16;

/** Addresses of a call → what they were issued to. */
export type Owners = ReadonlyMap<string, Subject | undefined>;

/** Each is asked for once. */
export const ownersOf = async (
  read: readonly ReadSignal[],
  ownerOfAddress: TakeParts['ownerOfAddress'],
): Promise<Owners> => {
  const addresses = read.flatMap((each) =>
    each.kind === 'readable' && each.target.by === 'address' ? [each.target.address] : [],
  );
  const owners = new Map<string, Subject | undefined>();
  await inParallel([...new Set(addresses)], MOST_AT_ONCE, async (address) => {
    owners.set(address, await ownerOfAddress(address));
  });
  return owners;
};
