import type pg from 'pg';
import { inTransaction, type Queryable } from '#platform/postgres';
import { type GivenContact, keepContact } from '../contacts/keep-contact.ts';
import { identityOf, isVerifiedIdentity } from '../identities.ts';
import { isDisowned } from '../links/disown.ts';
import { type LinkPurpose, openLinkOf } from '../links/link.ts';
import { sendLink } from '../links/send-link.ts';
import { changePlayer, type LockedPlayer, lockPlayer } from '../locked-player.ts';
import type { PhoneHashes } from '../phone.ts';
import type { PlayerRef } from '../player.ts';
import { mayText, type TextLimits } from '../texts.ts';
import type { createGlance } from './glance.ts';

export type PlayerToCheck = PlayerRef &
  GivenContact & {
    readonly affiliateId: number;
    /** The key by which a partner asks. */
    readonly keyId?: number;
  };

export type PlayerCheck =
  | { readonly outcome: 'verified'; readonly contactRef: string }
  | { readonly outcome: 'kyc_required' | 'kyc_pending'; readonly message: string }
  | { readonly outcome: 'unavailable' };

export type CheckParts = {
  readonly pool: pg.Pool;
  readonly glanceAt: ReturnType<typeof createGlance>;
  readonly phoneHashes: PhoneHashes;
  readonly textLimits: TextLimits;
  readonly casinoName: (entityId: number) => Promise<string>;
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

const noLink = (why: string): PlayerCheck => ({
  outcome: 'kyc_required',
  message: `Identity verification required. ${why}`,
});

const TOO_MANY = noLink('Too many links were sent: try again in an hour.');
const DISOWNED = noLink('No link is sent to this phone, since its owner has said that it is not the player.');

/** A state that an operator set has closed the links, so that a link which is open is one that the player may use. */
const recentPurpose = async (db: Queryable, player: LockedPlayer, now: Date): Promise<LinkPurpose | undefined> => {
  const link = await openLinkOf(db, player, now);
  return link && now.getTime() - link.createdAt.getTime() < QUIET_MS ? link.purpose : undefined;
};

/** The name was asked for before the transaction: whoever holds a connection waits for no other. */
type LinkParts = Omit<CheckParts, 'casinoName'> & { readonly casinoName: string };

const askForIdentity = async (
  db: Queryable,
  player: LockedPlayer,
  { affiliateId, phone, keyId }: PlayerToCheck,
  { phoneHashes, textLimits, publicUrl, now, casinoName }: LinkParts,
): Promise<PlayerCheck> => {
  const at = now();
  const recent = await recentPurpose(db, player, at);
  if (recent) return required(recent);
  const identityId = await identityOf(db, affiliateId, phoneHashes.ofIdentity(phone));
  const numberHash = phoneHashes.ofNumber(phone);
  if (await isDisowned(db, { entityId: player.entityId, numberHash, now: at })) return DISOWNED;
  if (!(await mayText(db, { player, numberHash, keyId }, textLimits, at))) return TOO_MANY;
  const confirms = player.mayConfirm && (await isVerifiedIdentity(db, identityId, at));
  const purpose = confirms ? 'confirm' : 'verify';
  const addressee = { player, purpose, identityId, phone, numberHash } as const;
  await sendLink(db, { ...addressee, casinoName, publicUrl: publicUrl(), now: at });
  await changePlayer(db, player, { state: 'link_sent' }, at);
  return required(purpose);
};

/** Everything but a verified player with a known contact: one call at a time per player. */
const checkThoroughly = (toCheck: PlayerToCheck, parts: LinkParts): Promise<PlayerCheck> =>
  inTransaction(parts.pool, async (db) => {
    const player = await lockPlayer(db, toCheck, parts.now());
    const contactRef = await keepContact(db, player, toCheck, parts.now());
    if (player.state === 'verified') return { outcome: 'verified', contactRef };
    if (player.state === 'pending') return PENDING;
    return askForIdentity(db, player, toCheck, parts);
  });

/** "KYC is checked first": whether this player may deposit, and what is sent to who may not yet. */
export const checkPlayer = async (toCheck: PlayerToCheck, parts: CheckParts): Promise<PlayerCheck> => {
  const glance = await parts.glanceAt({ ...toCheck, now: parts.now() });
  if (!glance.available) return { outcome: 'unavailable' };
  if (glance.verifiedContact !== null) return { outcome: 'verified', contactRef: glance.verifiedContact };
  return checkThoroughly(toCheck, { ...parts, casinoName: await parts.casinoName(toCheck.entityId) });
};
