import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import { holdAffiliate } from '../accounts/affiliates.ts';
import { recordChange } from '../accounts/audit.ts';
import { type AccountOutcome, changed, notFound, written } from '../accounts/outcome.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import type { TokenStatus } from '../operators/token-record.ts';
import { lifeOf } from './token-life.ts';
import { addPair } from './token-pair.ts';

type Row = {
  readonly id: number;
  readonly affiliate_id: number;
  readonly status: TokenStatus;
  readonly expires_at: Date | null;
  readonly created_at: Date;
};

export type AccessTokenItem = Told<Row>;

/** Both texts are shown here and never again. */
export type AccessTokenAnswer = AccessTokenItem & { readonly access_token: string; readonly refresh_token: string };

export type AccessTokenId = { readonly affiliateId: number; readonly id: number };

const SELECT = `
  SELECT t.id, f.affiliate_id, f.status, t.expires_at, t.created_at
  FROM access_tokens t JOIN token_families f ON f.id = t.family_id`;

export const accessTokenItem = async (
  db: Queryable,
  { affiliateId, id }: AccessTokenId,
): Promise<AccessTokenItem | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE t.id = $1 AND f.affiliate_id = $2`, [id, affiliateId]);
  return rows[0] && told(rows[0]);
};

/** Undefined where there is no such affiliate. */
export const listAccessTokens = async (
  db: Queryable,
  { affiliateId, ...page }: Page & { readonly affiliateId: number },
): Promise<Paged<AccessTokenItem> | undefined> => {
  if (!(await holdAffiliate(db, affiliateId))) return undefined;
  return listPage<Row, AccessTokenItem>(db, {
    ...page,
    select: SELECT,
    key: 't.id',
    where: { 'f.affiliate_id': affiliateId },
    item: told,
  });
};

const ADD_FAMILY = `
  INSERT INTO token_families (affiliate_id, token_life) VALUES ($1, ${lifeOf('$2::timestamptz', 'now()')}) RETURNING id`;

/** A new family and its first pair. */
export const issueAccessToken = async (
  db: Queryable,
  hash: KeyHash,
  actor: string,
  { affiliateId, expiresAt }: { readonly affiliateId: number; readonly expiresAt: Date | null },
): Promise<AccountOutcome<AccessTokenAnswer>> => {
  if (!(await holdAffiliate(db, affiliateId))) return notFound('affiliate');
  const { rows } = await db.query<{ id: number }>(ADD_FAMILY, [affiliateId, expiresAt]);
  if (!rows[0]) throw new Error('the new family of tokens did not come back');
  const { id, accessToken, refreshToken } = await addPair(db, hash, { familyId: rows[0].id, expiresAt });
  const item = await written(accessTokenItem(db, { affiliateId, id }));
  const subject = 'access_token';
  await recordChange(db, { actor, action: 'created', subject, subjectId: id, before: null, after: item });
  return changed({ ...item, access_token: accessToken, refresh_token: refreshToken });
};

const REVOKE = `
  UPDATE token_families SET status = 'revoked'
  WHERE status = 'active' AND id = (SELECT family_id FROM access_tokens WHERE id = $1)`;

/** Revokes all that came of the same issue: its refresh tokens would buy new ones otherwise. */
export const revokeAccessToken = async (
  db: Queryable,
  actor: string,
  token: AccessTokenId,
): Promise<AccountOutcome<AccessTokenItem>> => {
  const before = await accessTokenItem(db, token);
  if (!before) return notFound('access_token');
  const { rowCount } = await db.query(REVOKE, [token.id]);
  const after = await written(accessTokenItem(db, token));
  const change = { subject: 'access_token', subjectId: token.id, before, after } as const;
  if (rowCount) await recordChange(db, { actor, action: 'changed', ...change });
  return changed(after);
};
