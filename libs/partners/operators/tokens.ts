import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
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

type Row = {
  readonly id: number;
  readonly role: OperatorRole;
  readonly name: string | null;
  readonly subject: string | null;
  readonly status: TokenStatus;
  readonly expires_at: Date | null;
  readonly created_at: Date;
};

export type TokenItem = Told<Row>;

/** `token` is shown here and never again. */
export type TokenAnswer = TokenItem & { readonly token: string };

const SELECT = 'SELECT t.id, t.role, t.name, t.subject, t.status, t.expires_at, t.created_at FROM operator_tokens t';

export const tokenItem = async (db: Queryable, id: number): Promise<TokenItem | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE t.id = $1`, [id]);
  return rows[0] && told(rows[0]);
};

export const listTokens = (db: Queryable, page: Page): Promise<Paged<TokenItem>> =>
  listPage<Row, TokenItem>(db, { ...page, select: SELECT, key: 't.id', item: told });

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
