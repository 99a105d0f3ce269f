import { randomUUID } from 'node:crypto';
import { enqueueMessage } from '#messages';
import type { Queryable } from '#platform/postgres';
import type { PlayerRef } from '../player.ts';
import { closeLinks, hashOfToken, type LinkPurpose, makeToken } from './link.ts';

const LIFE_MS = 24 * 3_600_000;

const INSERT = `
  INSERT INTO kyc_links (token_hash, entity_id, gambler_ref, purpose, identity_id, created_at, expires_at, number_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** A text has little room. */
const shortly = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name);

/** In whose name, and what following the link means: it may have reached somebody who knows of nothing. */
const textOf = (purpose: LinkPurpose, casino: string, link: string): string =>
  purpose === 'verify'
    ? `${shortly(casino)}: verify your identity to make a deposit there, or say that this is not you: ${link}`
    : `${shortly(casino)}: an account was found for this phone. Confirm that you are the one who deposits there, or say that this is not you: ${link}`;

export type LinkToSend = {
  readonly player: PlayerRef;
  readonly purpose: LinkPurpose;
  readonly identityId: number;
  readonly phone: string;
  readonly numberHash: Buffer;
  readonly casinoName: string;
  readonly publicUrl: string;
  readonly now: Date;
};

/** In the transaction of the player's lock: the link and its SMS, both or neither. */
export const sendLink = async (db: Queryable, toSend: LinkToSend): Promise<void> => {
  const { player, purpose, identityId, phone, numberHash, casinoName, publicUrl, now } = toSend;
  const { entityId, gamblerRef } = player;
  await closeLinks(db, player, now);
  const token = makeToken();
  const expiresAt = new Date(now.getTime() + LIFE_MS);
  const values = [hashOfToken(token), entityId, gamblerRef, purpose, identityId, now, expiresAt, numberHash];
  await db.query(INSERT, values);
  const link = `${publicUrl.replace(/\/+$/, '')}/kyc/${token}`;
  const message = { id: randomUUID(), kind: 'sms', to: phone, text: textOf(purpose, casinoName, link), link } as const;
  await enqueueMessage(db, { ...message, entityId, gamblerRef });
};
