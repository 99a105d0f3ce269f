import { randomUUID } from 'node:crypto';
import { enqueueMessage } from '#messages';
import type { Queryable } from '#platform/postgres';
import type { PlayerRef } from '../player.ts';
import { closeLinks, hashOfToken, type LinkPurpose, makeToken } from './link.ts';

const LIFE_MS = 24 * 3_600_000;

const INSERT = `
  INSERT INTO kyc_links (token_hash, entity_id, gambler_ref, purpose, identity_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const textOf = (purpose: LinkPurpose, link: string): string =>
  purpose === 'verify'
    ? `Verify your identity to make your deposit: ${link}`
    : `An account was found for this phone. Confirm that it is yours to make your deposit: ${link}`;

export type LinkToSend = {
  readonly player: PlayerRef;
  readonly purpose: LinkPurpose;
  readonly identityId: number;
  readonly phone: string;
  readonly publicUrl: string;
  readonly now: Date;
};

/** In the transaction of the player's lock: the link and its SMS, both or neither. */
export const sendLink = async (db: Queryable, toSend: LinkToSend): Promise<void> => {
  const { player, purpose, identityId, phone, publicUrl, now } = toSend;
  const { entityId, gamblerRef } = player;
  await closeLinks(db, player, now);
  const token = makeToken();
  const expiresAt = new Date(now.getTime() + LIFE_MS);
  await db.query(INSERT, [hashOfToken(token), entityId, gamblerRef, purpose, identityId, now, expiresAt]);
  const link = `${publicUrl.replace(/\/+$/, '')}/kyc/${token}`;
  const message = { id: randomUUID(), kind: 'sms', to: phone, text: textOf(purpose, link), link } as const;
  await enqueueMessage(db, { ...message, entityId, gamblerRef });
};
