import type { Queryable } from '#platform/postgres';

export type Limit = {
  /** Who uses what, in words. */
  readonly subject: string;
  readonly most: number;
  readonly withinSeconds: number;
};

export type CountedUse = Limit & {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least one. */
  readonly secondsLeft: number;
};

/**
 * One statement, so that no two uses take the same place, on whatever instance; the windows are taken in one order, so that
 * no two statements wait for each other. A window starts with its first use. To be called outside of transactions: within
 * one what was counted would be held until its end, while all others who use the same wait.
 */
const COUNT = `
  INSERT INTO limit_windows AS w (subject, ends_at, uses)
  SELECT subject, coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => within_s), 1
  FROM unnest($1::text[], $2::int[]) AS used (subject, within_s) ORDER BY subject
  ON CONFLICT (subject) DO UPDATE SET
    ends_at = CASE WHEN w.ends_at <= coalesce($3::timestamptz, clock_timestamp()) THEN excluded.ends_at ELSE w.ends_at END,
    uses = CASE WHEN w.ends_at <= coalesce($3::timestamptz, clock_timestamp()) THEN 1 ELSE w.uses + 1 END
  RETURNING subject, uses, ceil(extract(epoch FROM ends_at - coalesce($3::timestamptz, clock_timestamp())))::float8 AS left`;

type Row = { readonly subject: string; readonly uses: number; readonly left: number };

/** By the clock of the database, unless told another. Of different subjects. */
export const countUses = async (
  db: Queryable,
  limits: readonly Limit[],
  now: Date | null = null,
): Promise<readonly CountedUse[]> => {
  const values = [limits.map(({ subject }) => subject), limits.map(({ withinSeconds }) => withinSeconds), now];
  const { rows } = await db.query<Row>({ name: 'count_uses', text: COUNT, values });
  const counted = new Map(rows.map((row) => [row.subject, row]));
  return limits.map((limit) => {
    const { uses = 0, left = 0 } = counted.get(limit.subject) ?? {};
    const secondsLeft = Math.max(1, left);
    return { ...limit, allowed: uses <= limit.most, remaining: Math.max(0, limit.most - uses), secondsLeft };
  });
};
