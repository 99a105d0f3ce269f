import { type Queryable, type Told, told } from '#platform/postgres';

type Row = {
  readonly id: string;
  readonly apps: readonly string[];
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly started_at: Date;
  readonly seen_at: Date;
  /** False: it has missed beats, and is dead, frozen or cut off. */
  readonly alive: boolean;
  /** As it was told; null where it was told nothing. */
  readonly four_eyes: boolean | null;
  readonly recheck_s: number | null;
};

export type Instance = Told<Row>;

/** Three beats. */
const SILENT_AFTER_S = 15;

export const ALIVE = `seen_at > now() - interval '${SILENT_AFTER_S} seconds'`;

const LIST = `
  SELECT id, apps, version, host, pid, started_at, seen_at, ${ALIVE} AS alive, four_eyes, recheck_s
  FROM instances ORDER BY started_at, id`;

/** Those that run, and for a minute those that have fallen silent; the oldest first. */
export const listInstances = async (db: Queryable): Promise<readonly Instance[]> => {
  const { rows } = await db.query<Row>(LIST);
  return rows.map((row) => told(row));
};
