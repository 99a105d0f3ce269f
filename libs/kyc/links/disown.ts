import type pg from 'pg';
import { recordChange } from '#partners';
import type { Queryable } from '#platform/postgres';
import { changePlayer } from '../locked-player.ts';
import { type PlayerRef, playerId } from '../player.ts';
import { hashOfToken } from './link.ts';
import { type LinkOptions, type NoLink, withOpenLink } from './use-link.ts';

export type LinkDisowned = { readonly outcome: 'disowned'; readonly player: PlayerRef } | NoLink;

/** How long no text goes to this number in the name of this casino. */
const QUIET_DAYS = 30;

const DISOWN = `
  WITH link AS (UPDATE kyc_links SET used_at = $2 WHERE token_hash = $1 RETURNING entity_id, number_hash)
  INSERT INTO kyc_disowned_phones (entity_id, number_hash, until)
  SELECT entity_id, number_hash, $2::timestamptz + make_interval(days => ${QUIET_DAYS}) FROM link
  WHERE number_hash IS NOT NULL
  ON CONFLICT (entity_id, number_hash) DO UPDATE SET until = excluded.until`;

const IS_DISOWNED = `
  SELECT EXISTS (SELECT FROM kyc_disowned_phones WHERE entity_id = $1 AND number_hash = $2 AND until > $3) AS disowned`;

export const isDisowned = async (
  db: Queryable,
  { entityId, numberHash, now }: { readonly entityId: number; readonly numberHash: Buffer; readonly now: Date },
): Promise<boolean> =>
  (await db.query<{ disowned: boolean }>(IS_DISOWNED, [entityId, numberHash, now])).rows[0]?.disowned === true;

/**
 * "This is not me": whoever has the phone has not asked for what the link does. The verification is refused, on the record,
 * and the number is left alone for a while.
 */
export const disownLink = (pool: pg.Pool, options: LinkOptions): Promise<LinkDisowned> =>
  withOpenLink<LinkDisowned>(pool, options, async (db, _, before) => {
    const { token, now } = options;
    await db.query(DISOWN, [hashOfToken(token), now]);
    await changePlayer(db, before, { state: 'rejected', mayConfirm: false }, now);
    await recordChange(db, {
      actor: 'the owner of a phone',
      action: 'changed',
      subject: 'player',
      subjectId: playerId(before),
      before: { kyc: before.state },
      after: { kyc: 'rejected', phone_disowned: true },
    });
    const { entityId, gamblerRef } = before;
    return { outcome: 'disowned', player: { entityId, gamblerRef } };
  });
