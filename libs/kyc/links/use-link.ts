import type pg from 'pg';
import { outsidersOf, strangerFrom } from '#platform/gate';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { Alone } from '../alone.ts';
import { isVerifiedIdentity } from '../identities.ts';
import { changePlayer, type LockedPlayer, lockPlayer } from '../locked-player.ts';
import type { PlayerRef } from '../player.ts';
import { closeLinks, hashOfToken, type LinkPurpose } from './link.ts';

/** What can be said of a token that somebody opens. */
export type LinkLook = { readonly outcome: 'open'; readonly purpose: LinkPurpose; readonly entityId: number } | NoLink;
export type LinkUse = { readonly outcome: 'submitted' | 'confirmed' } | NoLink;
export type NoLink = { readonly outcome: 'unknown' | 'used' | 'expired' | 'replaced' };

type Found = PlayerRef & {
  readonly purpose: LinkPurpose;
  readonly identityId: number;
  readonly why: 'open' | 'used' | 'replaced' | 'expired';
};

const FIND = `
  SELECT entity_id AS "entityId", gambler_ref AS "gamblerRef", purpose, identity_id AS "identityId",
    CASE WHEN used_at IS NOT NULL THEN 'used' WHEN replaced_at IS NOT NULL THEN 'replaced'
         WHEN expires_at <= $2 THEN 'expired' ELSE 'open' END AS why
  FROM kyc_links WHERE token_hash = $1`;

export const findLink = async (db: Queryable, token: string, now: Date): Promise<Found | undefined> =>
  (await db.query<Found>(FIND, [hashOfToken(token), now])).rows[0];

export type Shown = {
  readonly token: string;
  readonly now: Date;
  /** The address of whoever shows it: anybody may, and those of one address take turns with those of others. */
  readonly from: string;
};

const findShown = (pool: pg.Pool, { token, now, from }: Shown): Promise<Found | undefined> =>
  outsidersOf(pool)(strangerFrom(from), () => findLink(pool, token, now));

/** Changes nothing, however often: whoever shows an SMS may open its link for a preview. */
export const lookAtLink = async (pool: pg.Pool, shown: Shown): Promise<LinkLook> => {
  const found = await findShown(pool, shown);
  if (!found) return { outcome: 'unknown' };
  const { why, purpose, entityId } = found;
  return why === 'open' ? { outcome: why, purpose, entityId } : { outcome: why };
};

export type LinkOptions = Shown & { readonly alone: Alone };
export type UseOptions = LinkOptions & { readonly verifiesAfterMs: number };

const take = async (db: Queryable, found: Found, { token, now, verifiesAfterMs }: UseOptions): Promise<LinkUse> => {
  await db.query('UPDATE kyc_links SET used_at = $2 WHERE token_hash = $1', [hashOfToken(token), now]);
  const { identityId } = found;
  if (found.purpose === 'confirm') {
    await changePlayer(db, found, { state: 'verified', identityId }, now);
    return { outcome: 'confirmed' };
  }
  const verifiedFrom = new Date(now.getTime() + verifiesAfterMs);
  await changePlayer(db, found, { state: 'pending', identityId, verifiedFrom }, now);
  return { outcome: 'submitted' };
};

/** The account that was found may have lost its own verification since: then there is nothing left to confirm. */
const isSound = async (db: Queryable, { purpose, identityId }: Found, now: Date): Promise<boolean> =>
  purpose === 'verify' || isVerifiedIdentity(db, identityId, now);

type WithOpen<T> = (db: Queryable, found: Found, before: LockedPlayer) => Promise<T>;

/** With the player locked first, as everywhere. A link that works no more never will: for that nobody is locked. */
export const withOpenLink = async <T>(
  pool: pg.Pool,
  { alone, ...shown }: LinkOptions,
  work: WithOpen<T>,
): Promise<T | NoLink> => {
  const { token, now } = shown;
  const known = await findShown(pool, shown);
  if (!known) return { outcome: 'unknown' };
  if (known.why !== 'open') return { outcome: known.why };
  const use = async (db: Queryable): Promise<T | NoLink> => {
    const before = await lockPlayer(db, known, now);
    const found = await findLink(db, token, now);
    if (!found) return { outcome: 'unknown' };
    return found.why === 'open' ? work(db, found, before) : { outcome: found.why };
  };
  return alone(known, () => inTransaction(pool, use));
};

/** Once: of two who come together the second finds it used. */
export const takeLink = (pool: pg.Pool, options: UseOptions): Promise<LinkUse> =>
  withOpenLink<LinkUse>(pool, options, async (db, found) => {
    if (await isSound(db, found, options.now)) return take(db, found, options);
    await closeLinks(db, found, options.now);
    return { outcome: 'replaced' };
  });
