/** The pool of addresses: each goes to one deposit, and more are derived as they go. */
import { migrationsBeside } from '#platform/migrations';

export { type Addresses, type AddressesOptions, openAddresses, type PoolState } from './addresses.ts';
export { canonicalAddress } from './canonical.ts';
export { addressesOf } from './derivation/address-of.ts';
export { NoExtendedKey } from './derivation/extended-key.ts';
export { isAddressOf, scriptOf } from './derivation/script-of.ts';

export { isFirstKeyInUse, sealedFirstKey } from './keys/first-key.ts';

export type { ExtendedKeyRow } from './keys/list.ts';
export { raiseIndexes } from './keys/raise-indexes.ts';
export { paymentUri } from './payment-uri.ts';
export type { AddOutcome, AddRefusal } from './pool/add.ts';
export { firstTaken } from './pool/first-taken.ts';
export { passOverFree, type SetAside } from './pool/pass-over.ts';
export { type OfTwo, recordTaken, type TakenAddress } from './pool/record-taken.ts';
export { ownersOfScripts, recordScripts } from './pool/scripts.ts';

export const migrations = migrationsBeside(import.meta.url, 'addresses');
