import type pg from 'pg';
import { inTransaction, type Queryable } from '#platform/postgres';
import { type GivenContact, keepContact } from '../contacts/keep-contact.ts';
import { identityOf, isVerifiedIdentity } from '../identities.ts';
import { type LinkPurpose, linksSince, openLinkOf } from '../links/link.ts';
import { sendLink } from '../links/send-link.ts';
import { changePlayer, type LockedPlayer, lockPlayer } from '../locked-player.ts';
import type { PhoneHash } from '../phone-hash.ts';
import type { PlayerRef } from '../player.ts';
import { glanceAt } from './glance.ts';

export type PlayerToCheck = PlayerRef & GivenContact & { readonly affiliateId: number };

export type PlayerCheck =
  | { readonly outcome: 'verified'; readonly contactRef: string }
  | { readonly outcome: 'kyc_required' | 'kyc_pending'; readonly message: string }
  | { readonly outcome: 'unavailable' };

export type CheckParts = {
  readonly pool: pg.Pool;
  readonly phoneHash: PhoneHash;
  readonly publicUrl: () => string;
  readonly now: () => Date;
};

const MESSAGES: Readonly<Record<LinkPurpose, string>> = {
  verify: 'Identity verification required. A verification link was sent by SMS.',
  confirm: 'An existing account was found. A confirmation link was sent by SMS.',
};

const PENDING: PlayerCheck = { outcome: 'kyc_pending', message: 'Identity verification is pending.' };

const required = (purpose: LinkPurpose): PlayerCheck => ({ outcome: 'kyc_required', message: MESSAGES[purpose] });

/** A repeated create within this time sends no second SMS. */
const QUIET_MS = 60_000;

/** To one phone of one affiliate, whoever asks in whoever's name: a link costs money, and may reach a stranger. */
const MOST_LINKS = 30;
const LINKS_WITHIN_MS = 3_600_000;

const TOO_MANY: PlayerCheck = {
  outcome: 'kyc_required',
  message: 'Identity verification required. Too many links were sent to this phone: try again in an hour.',
};

const hasTooMany = async (db: Queryable, identityId: number, now: Date): Promise<boolean> => {
  const since = new Date(now.getTime() - LINKS_WITHIN_MS);
  return (await linksSince(db, identityId, { since, atMost: MOST_LINKS })) >= MOST_LINKS;
};

/** A state that an operator set has closed the links, so that a link which is open is one that the player may use. */
const recentPurpose = async (db: Queryable, player: LockedPlayer, now: Date): Promise<LinkPurpose | undefined> => {
  const link = await openLinkOf(db, player, now);
  return link && now.getTime() - link.createdAt.getTime() < QUIET_MS ? link.purpose : undefined;
};

const askForIdentity = async (
  db: Queryable,
  player: LockedPlayer,
  { affiliateId, phone }: PlayerToCheck,
  { phoneHash, publicUrl, now }: CheckParts,
): Promise<PlayerCheck> => {
  const at = now();
  const recent = await recentPurpose(db, player, at);
  if (recent) return required(recent);
  const identityId = await identityOf(db, affiliateId, phoneHash(phone));
  if (await hasTooMany(db, identityId, at)) return TOO_MANY;
  const confirms = player.mayConfirm && (await isVerifiedIdentity(db, identityId, at));
  const purpose = confirms ? 'confirm' : 'verify';
  await sendLink(db, { player, purpose, identityId, phone, publicUrl: publicUrl(), now: at });
  await changePlayer(db, player, { state: 'link_sent' }, at);
  return required(purpose);
};

/** Everything but a verified player with a known contact: one call at a time per player. */
const checkThoroughly = (toCheck: PlayerToCheck, parts: CheckParts): Promise<PlayerCheck> =>
  inTransaction(parts.pool, async (db) => {
    const player = await lockPlayer(db, toCheck, parts.now());
    const contactRef = await keepContact(db, player, toCheck, parts.now());
    if (player.state === 'verified') return { outcome: 'verified', contactRef };
    if (player.state === 'pending') return PENDING;
    return askForIdentity(db, player, toCheck, parts);
  });

/** "KYC is checked first": whether this player may deposit, and what is sent to who may not yet. */
export const checkPlayer = async (toCheck: PlayerToCheck, parts: CheckParts): Promise<PlayerCheck> => {
  const glance = await glanceAt(parts.pool, toCheck, parts.now());
  if (!glance.available) return { outcome: 'unavailable' };
  if (glance.verifiedContact !== null) return { outcome: 'verified', contactRef: glance.verifiedContact };
  return checkThoroughly(toCheck, parts);
};
