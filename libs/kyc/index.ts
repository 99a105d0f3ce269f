/** Identity verification of players, and their contacts. */
import { migrationsBeside } from '#platform/migrations';

export { type Contact, holdContacts } from './contacts/contact-of.ts';
export { type Kyc, type LinkShown, openKyc } from './kyc.ts';

export type { LinkDisowned } from './links/disown.ts';
export type { LinkUse } from './links/use-link.ts';
export { isMaskedPhone, isPhoneNumber, maskedPhone } from './phone.ts';
export { type KycState, kycStates, type Player, type SettableState, settableStates } from './player.ts';
export type { PlayerToCheck } from './players/check-player.ts';

export { readPlayerCursor } from './players/list-players.ts';

export const migrations = migrationsBeside(import.meta.url, 'kyc');
