import type pg from 'pg';
import { inTransaction } from '#platform/postgres';
import type { Alone } from '../alone.ts';
import { type GivenContact, keepContact } from '../contacts/keep-contact.ts';
import type { LinkPurpose } from '../links/link.ts';
import { lockPlayer } from '../locked-player.ts';
import type { PhoneHashes } from '../phone.ts';
import type { PlayerRef } from '../player.ts';
import { type CountedText, countText, type TextLimits } from '../texts.ts';
import { type AskedForIdentity, askForIdentity, seemsDue, type ToAsk } from './ask-for-identity.ts';
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
  readonly alone: Alone;
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

const noLink = (why: string): PlayerCheck => ({
  outcome: 'kyc_required',
  message: `Identity verification required. ${why}`,
});

const TOO_MANY = noLink('Too many links were sent: try again in an hour.');
const DISOWNED = noLink('No link is sent to this phone, since its owner has said that it is not the player.');

/** The name was asked for before: whoever holds a connection waits for no other. */
type LinkParts = Omit<CheckParts, 'casinoName'> & { readonly casinoName: string };

const toAskOf = (toCheck: PlayerToCheck, { phoneHashes, casinoName, publicUrl, now }: LinkParts): ToAsk => {
  const { affiliateId, phone } = toCheck;
  const hashes = { identityHash: phoneHashes.ofIdentity(phone), numberHash: phoneHashes.ofNumber(phone) };
  return { affiliateId, phone, ...hashes, casinoName, publicUrl, now: now() };
};

const answerTo = (answer: Exclude<AskedForIdentity, { readonly outcome: 'uncounted' }>): PlayerCheck => {
  if (answer.outcome === 'asked') return required(answer.purpose);
  return answer.outcome === 'disowned' ? DISOWNED : TOO_MANY;
};

/** Undefined where a text is to go out that was not counted: then nothing was done. */
const checkLocked = (toCheck: PlayerToCheck, text: CountedText, parts: LinkParts): Promise<PlayerCheck | undefined> =>
  inTransaction(
    parts.pool,
    async (db) => {
      const player = await lockPlayer(db, toCheck, parts.now());
      const contactRef = await keepContact(db, player, toCheck, parts.now());
      if (player.state === 'verified') return { outcome: 'verified', contactRef };
      if (player.state === 'pending') return PENDING;
      const answer = await askForIdentity(db, player, text, toAskOf(toCheck, parts));
      return answer.outcome === 'uncounted' ? undefined : answerTo(answer);
    },
    { isKept: (check) => check !== undefined },
  );

/**
 * Everything but a verified player with a known contact. A text is counted before the transaction that sends it, since
 * the counts are everybody's: nobody holds them while he waits for a lock or a disk.
 */
const checkThoroughly = async (toCheck: PlayerToCheck, parts: LinkParts): Promise<PlayerCheck> => {
  const { pool, textLimits } = parts;
  const { numberHash, now } = toAskOf(toCheck, parts);
  const { affiliateId, keyId } = toCheck;
  const count = () => countText(pool, { affiliateId, player: toCheck, numberHash, keyId }, textLimits, now);
  let text: CountedText = (await seemsDue(pool, toCheck, { numberHash, now })) ? await count() : 'uncounted';
  for (;;) {
    const check = await checkLocked(toCheck, text, parts);
    if (check) return check;
    text = await count();
  }
};

/** "KYC is checked first": whether this player may deposit, and what is sent to who may not yet. */
export const checkPlayer = async (toCheck: PlayerToCheck, parts: CheckParts): Promise<PlayerCheck> => {
  const glance = await parts.glanceAt({ ...toCheck, now: parts.now() });
  if (!glance.available) return { outcome: 'unavailable' };
  if (glance.verifiedContact !== null) return { outcome: 'verified', contactRef: glance.verifiedContact };
  const casinoName = await parts.casinoName(toCheck.entityId);
  return parts.alone(toCheck, () => checkThoroughly(toCheck, { ...parts, casinoName }));
};
