import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '#platform/postgres';
import type { PlayerRef } from '../player.ts';

export type LinkPurpose = 'verify' | 'confirm';

const TOKEN_BYTES = 32;

/** 256 random bits need no salt and no slow hash. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

export const makeToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export type OpenLink = { readonly purpose: LinkPurpose; readonly createdAt: Date };

const OPEN = `
  SELECT purpose, created_at FROM kyc_links
  WHERE entity_id = $1 AND gambler_ref = $2 AND used_at IS NULL AND replaced_at IS NULL AND expires_at > $3`;

export const openLinkOf = async (
  db: Queryable,
  { entityId, gamblerRef }: PlayerRef,
  now: Date,
): Promise<OpenLink | undefined> => {
  type Row = { readonly purpose: LinkPurpose; readonly created_at: Date };
  const { rows } = await db.query<Row>(OPEN, [entityId, gamblerRef, now]);
  return rows[0] && { purpose: rows[0].purpose, createdAt: rows[0].created_at };
};

const REPLACE = `
  UPDATE kyc_links SET replaced_at = $3
  WHERE entity_id = $1 AND gambler_ref = $2 AND used_at IS NULL AND replaced_at IS NULL`;

/** What was sent before works no more. */
export const closeLinks = async (db: Queryable, { entityId, gamblerRef }: PlayerRef, now: Date): Promise<void> => {
  await db.query(REPLACE, [entityId, gamblerRef, now]);
};
