import type pg from 'pg';
import { type Refused, refused } from '#deposits';
import type { Gate } from '#platform/gate';
import { orUndone, type Queryable } from '#platform/postgres';
import { recordChange } from '../accounts/audit.ts';
import type { KeyHash } from '../authentication/key-hash.ts';
import { makeSecret } from '../authentication/key-text.ts';
import { createLookUps } from '../authentication/look-ups.ts';
import {
  type Act,
  type Allowed,
  type AskChecks,
  actorOf,
  type Operator,
  type OperatorAuthentication,
  type OperatorRefusal,
} from './operator.ts';
import type { TokenRecord } from './token-record.ts';

/** A session ends after this long without anybody doing something, and in any case after the longest. */
const IDLE_MINUTES = 15;
const LONGEST_HOURS = 12;
/** So long after the token was given nobody is asked for it again. */
const CONFIRMED_MINUTES = 5;

const LIVES = `seen_at > now() - interval '${IDLE_MINUTES} minutes' AND s.created_at > now() - interval '${LONGEST_HOURS} hours'`;

const BY_HASH = `
  SELECT t.id, t.role, t.name, t.subject, t.status, t.expires_at AS "expiresAt", s.hash,
    s.created_at AS "begunAt", s.confirmed_at > now() - interval '${CONFIRMED_MINUTES} minutes' AS confirmed
  FROM console_sessions s JOIN operator_tokens t ON t.id = s.token_id WHERE s.hash = $1 AND s.${LIVES}
    AND t.ended_at IS NULL AND (t.subject IS NULL OR s.created_at > now() - make_interval(secs => $2))`;

/** One statement each half minute at most keeps a session alive. */
const TOUCH = `
  UPDATE console_sessions s SET seen_at = now() WHERE hash = $1 AND s.${LIVES} AND seen_at < now() - interval '30 seconds'`;

/** Nothing is sent again by a browser that has waited for longer. */
const OLD_ATTEMPTS = "DELETE FROM console_attempts WHERE taken_at < now() - interval '1 day'";

const TAKE = 'INSERT INTO console_attempts (token_id, attempt) VALUES ($1, $2) ON CONFLICT DO NOTHING';

const GIVE_BACK = 'DELETE FROM console_attempts WHERE token_id = $1 AND attempt = $2';

const no = (refusal: OperatorRefusal['refusal']): Refused<OperatorRefusal> => refused({ refusal });

/** The hash is of the session. */
type Row = TokenRecord & {
  readonly subject: string | null;
  readonly confirmed: boolean;
  readonly begunAt: Date;
};

export type Sessions = {
  /** For an operator whose token was shown, or who proved at the provider's a while ago who he is: what the cookie holds. */
  readonly begin: (operator: Operator, provedAt?: Date) => Promise<string>;
  /** His token was shown again. */
  readonly confirm: (secret: string) => Promise<void>;
  /** The same who is signed in has proved at the provider's who he is: false where it is somebody else. */
  readonly confirmBy: (session: Buffer, operator: Operator, provedAt: Date) => Promise<boolean>;
  readonly end: (secret: string, from: string) => Promise<void>;
  readonly authenticate: (secret: string, from: string) => Promise<OperatorAuthentication>;
};

/** Lets through what a second person has approved, and holds what is not. */
export type HoldActs = (
  operator: Operator,
  act: Act,
  record: (db: Queryable, more: object) => Promise<void>,
) => Promise<Allowed>;

type Parts = {
  readonly pool: pg.Pool;
  readonly gate: Gate;
  readonly hash: KeyHash;
  readonly hold: HoldActs;
  readonly checks: AskChecks;
};

const operations = { about: 'operation', by: 'changed' } as const;

const nameOf = (hashed: Buffer): string => `session ${hashed.toString('hex')}`;

/** A server-side session in place of a token that a page would have to keep; it ends with its token. */
export const openSessions = ({ pool, gate, hash, hold, checks }: Parts): Sessions & { readonly forget: () => void } => {
  const lookUps = createLookUps<Row>(gate);
  const find = async (hashed: Buffer): Promise<Row | undefined> => {
    const { personSeconds = LONGEST_HOURS * 3_600 } = await checks();
    const values = [hashed, personSeconds];
    return (await pool.query<Row>({ name: 'console_session_by_hash', text: BY_HASH, values })).rows[0];
  };
  const record = (db: Queryable, operator: Operator, { operation, about, reason }: Act, more: object): Promise<void> =>
    recordChange(db, {
      actor: actorOf(operator),
      action: operations.by,
      subject: operations.about,
      subjectId: operation,
      before: null,
      after: { ...about, reason, ...more },
    });
  const allow = async (operator: Operator, act: Act): Promise<Allowed> => {
    if (!act.alone && (await checks()).fourEyes)
      return hold(operator, act, (db, more) => record(db, operator, act, more));
    await record(pool, operator, act, {});
    return { outcome: 'allowed' };
  };
  return {
    begin: async (operator, provedAt) => {
      const secret = makeSecret();
      await pool.query(`DELETE FROM console_sessions s WHERE NOT (s.${LIVES})`);
      await pool.query(OLD_ATTEMPTS);
      await pool.query(
        'INSERT INTO console_sessions (hash, token_id, confirmed_at) VALUES ($1, $2, least(now(), $3))',
        [hash(secret), operator.id, provedAt],
      );
      return secret;
    },
    confirm: async (secret) => {
      await pool.query('UPDATE console_sessions SET confirmed_at = now() WHERE hash = $1', [hash(secret)]);
      lookUps.forget();
    },
    confirmBy: async (session, operator, provedAt) => {
      const { rowCount } = await pool.query(
        'UPDATE console_sessions SET confirmed_at = least(now(), $3) WHERE hash = $1 AND token_id = $2',
        [session, operator.id, provedAt],
      );
      lookUps.forget();
      return rowCount === 1;
    },
    end: async (secret, from) => {
      const hashed = hash(secret);
      const { rowCount } = await lookUps.inTurn(nameOf(hashed), { hash: hashed, from }, () =>
        pool.query('DELETE FROM console_sessions WHERE hash = $1', [hashed]),
      );
      if (rowCount) lookUps.forget();
    },
    authenticate: async (secret, from) => {
      const hashed = hash(secret);
      const row = await lookUps.find(nameOf(hashed), { hash: hashed, from }, () => find(hashed));
      if (!row || (row.expiresAt !== null && row.expiresAt.getTime() <= Date.now())) return no('invalid');
      if (row.status === 'revoked') return no('revoked');
      const { id, role, name, subject } = row;
      const operator = { id, role, name, ...(subject !== null && { subject }) };
      const touch = async () => void (await orUndone(() => pool.query(TOUCH, [hashed])));
      const take = async (attempt: string) => (await pool.query(TAKE, [id, attempt])).rowCount === 1;
      const giveBack = async (attempt: string) => void (await pool.query(GIVE_BACK, [id, attempt]));
      const { confirmed, begunAt } = row;
      const session = { confirmed, begunAt, touch, take, giveBack, allow: (act: Act) => allow(operator, act) };
      return { outcome: 'authenticated', operator: { ...operator, session } };
    },
    forget: lookUps.forget,
  };
};
