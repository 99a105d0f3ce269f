import type { Queryable } from '#platform/postgres';
import { identityOf, isVerifiedIdentity } from '../identities.ts';
import { isDisowned } from '../links/disown.ts';
import { type LinkPurpose, openLinkOf } from '../links/link.ts';
import { sendLink } from '../links/send-link.ts';
import { changePlayer, type LockedPlayer } from '../locked-player.ts';
import type { PlayerRef } from '../player.ts';
import type { CountedText } from '../texts.ts';

export type AskedForIdentity =
  | { readonly outcome: 'asked'; readonly purpose: LinkPurpose }
  | { readonly outcome: 'disowned' | 'too_many_texts' }
  /** A link is to go out, and its text was not counted before. */
  | { readonly outcome: 'uncounted' };

export type ToAsk = {
  readonly affiliateId: number;
  readonly phone: string;
  readonly identityHash: Buffer;
  readonly numberHash: Buffer;
  readonly casinoName: string;
  readonly publicUrl: () => string;
  readonly now: Date;
};

/** A repeated create within this time sends no second SMS. */
const QUIET_MS = 60_000;

const isRecent = (createdAt: Date, now: Date): boolean => now.getTime() - createdAt.getTime() < QUIET_MS;

const asked = (purpose: LinkPurpose): AskedForIdentity => ({ outcome: 'asked', purpose });

/**
 * With the player's row locked. A state that an operator set has closed the links, so that a link which is open is one that
 * the player may use.
 */
export const askForIdentity = async (
  db: Queryable,
  player: LockedPlayer,
  text: CountedText,
  { affiliateId, phone, identityHash, numberHash, casinoName, publicUrl, now }: ToAsk,
): Promise<AskedForIdentity> => {
  const open = await openLinkOf(db, player, now);
  if (open && isRecent(open.createdAt, now)) return asked(open.purpose);
  const identityId = await identityOf(db, affiliateId, identityHash);
  if (await isDisowned(db, { entityId: player.entityId, numberHash, now })) return { outcome: 'disowned' };
  if (text === 'uncounted') return { outcome: 'uncounted' };
  if (text === 'too_many') return { outcome: 'too_many_texts' };
  const confirms = player.mayConfirm && (await isVerifiedIdentity(db, identityId, now));
  const purpose = confirms ? 'confirm' : 'verify';
  const addressee = { player, purpose, identityId, phone, numberHash } as const;
  await sendLink(db, { ...addressee, casinoName, publicUrl: publicUrl(), now });
  await changePlayer(db, player, { state: 'link_sent' }, now);
  return asked(purpose);
};

const IS_DUE = `
  SELECT NOT EXISTS (
      SELECT FROM kyc_players WHERE entity_id = $1 AND gambler_ref = $2 AND state IN ('verified', 'pending')
    ) AND NOT EXISTS (
      SELECT FROM kyc_links WHERE entity_id = $1 AND gambler_ref = $2 AND used_at IS NULL AND replaced_at IS NULL
        AND created_at > $3
    ) AND NOT EXISTS (
      SELECT FROM kyc_disowned_phones WHERE entity_id = $1 AND number_hash = $4 AND until > $5
    ) AS due`;

/** Whether a text seems to be wanted, by a look without the player's lock: what is sent is decided under it. */
export const seemsDue = async (
  db: Queryable,
  { entityId, gamblerRef }: PlayerRef,
  { numberHash, now }: Pick<ToAsk, 'numberHash' | 'now'>,
): Promise<boolean> => {
  const quietSince = new Date(now.getTime() - QUIET_MS);
  const values = [entityId, gamblerRef, quietSince, numberHash, now];
  return (await db.query<{ due: boolean }>(IS_DUE, values)).rows[0]?.due === true;
};
