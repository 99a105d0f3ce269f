import type pg from 'pg';
import { recordChange } from '#partners';
import type { Logger } from '#platform/logging';
import { inTransaction, type Paged } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { createAlone } from './alone.ts';
import { type Contact, contactOf } from './contacts/contact-of.ts';
import { eraseContacts } from './contacts/erase-contacts.ts';
import { disownLink, type LinkDisowned } from './links/disown.ts';
import { type LinkLook, type LinkUse, lookAtLink, type NoLink, takeLink } from './links/use-link.ts';
import { createPhoneHashes } from './phone.ts';
import { type Player, type PlayerRef, playerId } from './player.ts';
import { checkPlayer, type PlayerCheck, type PlayerToCheck } from './players/check-player.ts';
import { createGlance } from './players/glance.ts';
import { listPlayers, type PlayerFilters } from './players/list-players.ts';
import { type PlayerToSet, setPlayer } from './players/set-player.ts';
import { defaultTextLimits, type TextLimits } from './texts.ts';

const isServiceAvailable = async (pool: pg.Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ available: boolean }>('SELECT available FROM kyc_service');
  return rows[0]?.available === true;
};

/** False makes every check fail, as when the provider is down. */
const setServiceAvailable = (pool: pg.Pool, available: boolean, actor: string): Promise<void> =>
  inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ available: boolean }>('SELECT available FROM kyc_service FOR UPDATE');
    const [before = null] = rows;
    if (before?.available === available) return;
    await db.query('UPDATE kyc_service SET available = $1', [available]);
    await recordChange(db, {
      actor,
      action: 'changed',
      subject: 'kyc_service',
      subjectId: 'kyc_service',
      before,
      after: { available },
    });
  });

/** On record before anybody sees it; the number itself is not, since a record is for ever. */
const revealPlayer = async (
  pool: pg.Pool,
  { entityId, gamblerRef }: PlayerRef,
  actor: string,
  now: Date,
): Promise<Player | undefined> => {
  const { items } = await listPlayers(pool, { entityId, gamblerRef, limit: 1 }, now);
  const [player] = items;
  if (!player) return undefined;
  const subjectId = playerId(player);
  await recordChange(pool, {
    ...{ actor, action: 'changed', subject: 'player', subjectId },
    ...{ before: null, after: { phone_shown: true } },
  });
  return player;
};

/** Who the players are, as far as anybody knows, and where they can be reached. */
export type Kyc = {
  readonly checkPlayer: (player: PlayerToCheck) => Promise<PlayerCheck>;
  /** Undefined for a casino that does not exist. */
  readonly setPlayer: (player: PlayerToSet, actor: string) => Promise<Player | undefined>;
  readonly listPlayers: (filters: PlayerFilters) => Promise<Paged<Player>>;
  /** With his phone, which is put on record. */
  readonly revealPlayer: (player: PlayerRef, actor: string) => Promise<Player | undefined>;
  readonly isServiceAvailable: () => Promise<boolean>;
  readonly setServiceAvailable: (available: boolean, actor: string) => Promise<void>;
  /** Undefined once it was erased. */
  readonly contactOf: (contactRef: string) => Promise<Contact | undefined>;
  readonly eraseContacts: (player: PlayerRef, actor: string) => Promise<boolean>;
  readonly lookAtLink: (token: string, from: string) => Promise<LinkShown>;
  readonly takeLink: (token: string, from: string) => Promise<LinkUse>;
  /** "This is not me", says whoever has the phone. */
  readonly disownLink: (token: string, from: string) => Promise<LinkDisowned>;
};

/** Of an open link, in whose name it came. */
export type LinkShown = (Extract<LinkLook, { outcome: 'open' }> & { readonly casinoName: string }) | NoLink;

export type KycOptions = {
  readonly pool: pg.Pool;
  readonly secrets: Pick<Secrets, 'derive'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly textLimits?: TextLimits;
  readonly casino: (entityId: number) => Promise<{ readonly affiliateId: number; readonly name: string } | undefined>;
  /** Where players reach the pages of their links; asked when a link is made, since a port may be known only then. */
  readonly publicUrl: () => string;
  /** How long the simulated provider takes from the submission to the verification. */
  readonly verifiesAfterMs?: number;
  readonly now?: () => Date;
};

const VERIFIES_AFTER_MS = 2_000;

export const openKyc = (options: KycOptions): Kyc => {
  const { pool, secrets, casino, publicUrl, verifiesAfterMs = VERIFIES_AFTER_MS, now = () => new Date() } = options;
  const { logger, textLimits = defaultTextLimits } = options;
  const phoneHashes = createPhoneHashes(secrets);
  const glanceAt = createGlance(pool);
  const alone = createAlone(pool, async (entityId) => (await casino(entityId))?.affiliateId);
  const casinoName = async (entityId: number): Promise<string> => (await casino(entityId))?.name ?? '';
  return {
    checkPlayer: (player) =>
      checkPlayer(player, { pool, glanceAt, alone, phoneHashes, textLimits, casinoName, publicUrl, now }),
    setPlayer: async (player, actor) => {
      const known = await casino(player.entityId);
      if (!known) return undefined;
      return setPlayer(player, { pool, phoneHashes, affiliateId: known.affiliateId, actor, now: now() });
    },
    listPlayers: (filters) => listPlayers(pool, filters, now()),
    revealPlayer: (player, actor) => revealPlayer(pool, player, actor, now()),
    isServiceAvailable: () => isServiceAvailable(pool),
    setServiceAvailable: (available, actor) => setServiceAvailable(pool, available, actor),
    contactOf: (contactRef) => contactOf(pool, contactRef),
    eraseContacts: (player, actor) => eraseContacts(pool, player, actor, now()),
    lookAtLink: async (token, from) => {
      const look = await lookAtLink(pool, { token, from, now: now() });
      return look.outcome === 'open' ? { ...look, casinoName: await casinoName(look.entityId) } : look;
    },
    takeLink: (token, from) => takeLink(pool, { token, from, now: now(), verifiesAfterMs, alone }),
    disownLink: async (token, from) => {
      const disowned = await disownLink(pool, { token, from, now: now(), alone });
      if (disowned.outcome === 'disowned') {
        const fields = { alert: 'phone_disowned', entity_id: disowned.player.entityId };
        logger.warn(fields, 'the owner of a phone says not to be the player that a casino named: see the audit trail');
      }
      return disowned;
    },
  };
};
