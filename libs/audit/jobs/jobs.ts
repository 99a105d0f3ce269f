import { listPage, type Page, type Paged, type Queryable, type Told, told } from '#platform/postgres';
import type { Seal } from '../kept/seal.ts';
import type { Finding } from '../verify/finding.ts';
import type { Progress } from '../verify/verify.ts';

export type JobKind = 'verify' | 'seal';
export type JobState = 'waiting' | 'running' | 'done' | 'failed';

/** What a verification is asked to look at; times as ISO 8601. */
export type Asked = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly deposit_id?: number | undefined;
  /** Number of a seal to hold history against. */
  readonly seal?: number | undefined;
};

type Row = {
  readonly id: number;
  readonly kind: JobKind;
  readonly asked: Asked;
  readonly asked_by: string;
  readonly state: JobState;
  readonly progress: Partial<Progress>;
  /** The first thousand. */
  readonly findings: readonly Finding[];
  readonly result: { readonly findings: number; readonly behind?: number; readonly seal?: Seal } | null;
  readonly asked_at: Date;
  readonly ended_at: Date | null;
};

export type Job = Told<Row>;

const COLUMNS = 'id, kind, asked, asked_by, state, progress, findings, result, asked_at, ended_at';
const SELECT = `SELECT ${COLUMNS} FROM audit_jobs`;

const jobOf = (row: Row): Job => ({ ...told(row), id: Number(row.id) });

/** Each reads all of history, one after the other: what waits of one operator keeps nobody else waiting for days. */
const MOST_WAITING = 10;

/** In a transaction, so that he asks for one after the other. Undefined where too many of his wait already. */
export const askJob = async (db: Queryable, kind: JobKind, asked: Asked, askedBy: string): Promise<Job | undefined> => {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`audits of ${askedBy}`]);
  const { rows } = await db.query<Row>(
    `INSERT INTO audit_jobs (kind, asked, asked_by) SELECT $1, $2::jsonb, $3
     WHERE (SELECT count(*) FROM audit_jobs WHERE state = 'waiting' AND asked_by = $3) < $4
     RETURNING ${COLUMNS}`,
    [kind, JSON.stringify(asked), askedBy, MOST_WAITING],
  );
  return rows[0] && jobOf(rows[0]);
};

export const findJob = async (db: Queryable, id: number): Promise<Job | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE id = $1`, [id]);
  return rows[0] && jobOf(rows[0]);
};

/** The oldest that is not ended: one that its process left in the middle is begun anew. */
export const nextJob = async (db: Queryable): Promise<Job | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} WHERE state IN ('waiting', 'running') ORDER BY id LIMIT 1`);
  return rows[0] && jobOf(rows[0]);
};

export const listJobs = (db: Queryable, page: Page): Promise<Paged<Job>> =>
  listPage<Row, Job>(db, { ...page, select: SELECT, key: 'id', order: 'newest first', item: jobOf });

const UNKEEPABLE = /(?<!\\)((?:\\\\)*)\\(u0000|ud[89a-f][\da-f]{2})/g;

/** As text of an event that was changed may say it, a NUL and half a surrogate pair too: no database keeps these two. */
const keepable = (findings: readonly Finding[]): string => JSON.stringify(findings).replace(UNKEEPABLE, '$1\\\\$2');

export const tellProgress = async (db: Queryable, { id }: Job, progress: Progress, findings: readonly Finding[]) => {
  await db.query(`UPDATE audit_jobs SET state = 'running', progress = $2, findings = $3 WHERE id = $1`, [
    ...[id, JSON.stringify(progress), keepable(findings)],
  ]);
};

export const endJob = async (
  db: Queryable,
  { id }: Job,
  state: 'done' | 'failed',
  ended: Pick<Job, 'findings' | 'result' | 'progress'>,
): Promise<void> => {
  const { findings, result, progress } = ended;
  await db.query(
    'UPDATE audit_jobs SET state = $2, findings = $3, result = $4, progress = $5, ended_at = now() WHERE id = $1',
    [id, state, keepable(findings), result && JSON.stringify(result), JSON.stringify(progress)],
  );
};
