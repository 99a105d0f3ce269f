/** Identity verification of players, and their contacts. */
import { migrationsBeside } from '#platform/migrations';

export { type Contact, holdContact } from './contacts/contact-of.ts';
export { type Kyc, type KycOptions, openKyc } from './kyc.ts';
export type { LinkPurpose } from './links/link.ts';
export type { LinkLook, LinkUse } from './links/use-link.ts';
export { type KycState, kycStates, type Player, type PlayerRef, type SettableState, settableStates } from './player.ts';
export type { PlayerCheck, PlayerToCheck } from './players/check-player.ts';
export type { PlayerFilters } from './players/list-players.ts';
export { readPlayerCursor } from './players/player-cursor.ts';
export type { PlayerToSet } from './players/set-player.ts';

export const migrations = migrationsBeside(import.meta.url, 'kyc');
