import type pg from 'pg';
import type { Paged } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { type Contact, contactOf } from './contacts/contact-of.ts';
import { eraseContacts } from './contacts/erase-contacts.ts';
import { type LinkLook, type LinkUse, lookAtLink, takeLink } from './links/use-link.ts';
import { createPhoneHash } from './phone-hash.ts';
import type { Player, PlayerRef } from './player.ts';
import { checkPlayer, type PlayerCheck, type PlayerToCheck } from './players/check-player.ts';
import { listPlayers, type PlayerFilters } from './players/list-players.ts';
import { type PlayerToSet, setPlayer } from './players/set-player.ts';
import { isServiceAvailable, setServiceAvailable } from './service.ts';

/** Who the players are, as far as anybody knows, and where they can be reached. */
export type Kyc = {
  readonly checkPlayer: (player: PlayerToCheck) => Promise<PlayerCheck>;
  /** Undefined for a casino that does not exist. */
  readonly setPlayer: (player: PlayerToSet, actor: string) => Promise<Player | undefined>;
  readonly listPlayers: (filters: PlayerFilters) => Promise<Paged<Player>>;
  readonly isServiceAvailable: () => Promise<boolean>;
  readonly setServiceAvailable: (available: boolean, actor: string) => Promise<void>;
  /** Undefined once it was erased. */
  readonly contactOf: (contactRef: string) => Promise<Contact | undefined>;
  readonly eraseContacts: (player: PlayerRef, actor: string) => Promise<void>;
  readonly lookAtLink: (token: string) => Promise<LinkLook>;
  readonly takeLink: (token: string) => Promise<LinkUse>;
};

export type KycOptions = {
  readonly pool: pg.Pool;
  readonly secrets: Pick<Secrets, 'derive'>;
  readonly casino: (entityId: number) => Promise<{ readonly affiliateId: number } | undefined>;
  /** Where players reach the pages of their links; asked when a link is made, since a port may be known only then. */
  readonly publicUrl: () => string;
  /** How long the simulated provider takes from the submission to the verification. */
  readonly verifiesAfterMs?: number;
  readonly now?: () => Date;
};

const VERIFIES_AFTER_MS = 2_000;

export const openKyc = (options: KycOptions): Kyc => {
  const { pool, secrets, casino, publicUrl, verifiesAfterMs = VERIFIES_AFTER_MS, now = () => new Date() } = options;
  const phoneHash = createPhoneHash(secrets);
  return {
    checkPlayer: (player) => checkPlayer(player, { pool, phoneHash, publicUrl, now }),
    setPlayer: async (player, actor) => {
      const known = await casino(player.entityId);
      if (!known) return undefined;
      return setPlayer(player, { pool, phoneHash, affiliateId: known.affiliateId, actor, now: now() });
    },
    listPlayers: (filters) => listPlayers(pool, filters, now()),
    isServiceAvailable: () => isServiceAvailable(pool),
    setServiceAvailable: (available, actor) => setServiceAvailable(pool, available, actor),
    contactOf: (contactRef) => contactOf(pool, contactRef),
    eraseContacts: (player, actor) => eraseContacts(pool, player, actor, now()),
    lookAtLink: (token) => lookAtLink(pool, token, now()),
    takeLink: (token) => takeLink(pool, { token, now: now(), verifiesAfterMs }),
  };
};
