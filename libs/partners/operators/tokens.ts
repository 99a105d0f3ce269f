import { listPage, type Page, type Paged, type Queryable } from '#platform/postgres';
import { type AccountOutcome, changed, notFound, written } from '../accounts/outcome.ts';
import { changeRow, insertRow } from '../accounts/rows.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import { makeSecret } from '../authentication/key-text.ts';
import type { OperatorRole } from './operator.ts';
import type { TokenStatus } from './token-record.ts';

export type TokenSent = {
  readonly role: OperatorRole;
  readonly name?: string | null | undefined;
  readonly expires_at?: Date | null | undefined;
};

export type TokenItem = {
  readonly id: number;
  readonly role: OperatorRole;
  readonly name: string | null;
  readonly subject: string | null;
  readonly status: TokenStatus;
  readonly expires_at: string | null;
  readonly created_at: string;
};

/** `token` is shown here and never again. */
export type TokenAnswer = TokenItem & { readonly token: string };

type Row = Omit<TokenItem, 'expires_at' | 'created_at'> & {
  readonly expires_at: Date | null;
  readonly created_at: Date;
};

const SELECT = 'SELECT t.id, t.role, t.name, t.subject, t.status, t.expires_at, t.created_at FROM operator_tokens t';

const itemOf = ({ expires_at, created_at, ...row }: Row): TokenItem => ({
  ...row,
  expires_at: expires_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
});

export const tokenItem = async (db: Queryable, id: number): Promise<TokenItem | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE t.id = $1`, [id]);
  return rows[0] && itemOf(rows[0]);
};

export const listTokens = (db: Queryable, page: Page): Promise<Paged<TokenItem>> =>
  listPage<Row, TokenItem>(db, { ...page, select: SELECT, key: 't.id', item: itemOf });

export const addToken = async (db: Queryable, hash: KeyHash, actor: string, sent: TokenSent): Promise<TokenAnswer> => {
  const { role, name, expires_at } = sent;
  const token = makeSecret();
  const id = await insertRow(db, actor, 'operator_tokens', { role, name, expires_at, hash: hash(token) });
  return { ...(await written(tokenItem(db, id))), token };
};

export const revokeToken = async (db: Queryable, actor: string, id: number): Promise<AccountOutcome<TokenItem>> => {
  const found = await changeRow(db, actor, { table: 'operator_tokens', id }, { status: 'revoked' });
  return found ? changed(await written(tokenItem(db, id))) : notFound('operator_token');
};
