import type { Queryable } from '#platform/postgres';

export type Limit = {
  /** Who uses what, in words. */
  readonly subject: string;
  readonly most: number;
  readonly withinSeconds: number;
};

export type CountedUse = Limit & {
  /** False of the one that refuses; those behind it are as they were. */
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least one. */
  readonly secondsLeft: number;
};

const NOW = 'coalesce($1::timestamptz, clock_timestamp())';

/** The parameters of the limit in that place; the statement asks how many it allows at most for whatever is behind it. */
const parametersOf = (nth: number) => ({
  subject: `$${3 * nth + 2}::text`,
  withinSeconds: `$${3 * nth + 3}::int`,
  most: `$${3 * nth + 4}::bigint`,
});

const counting = (nth: number): string => {
  const { subject, withinSeconds } = parametersOf(nth);
  const isLetThrough =
    nth === 0 ? '' : `FROM used_${nth - 1} AS before WHERE before.uses <= ${parametersOf(nth - 1).most}`;
  return `used_${nth} AS (
    INSERT INTO limit_windows AS w (subject, ends_at, uses)
    SELECT ${subject}, ${NOW} + make_interval(secs => ${withinSeconds}), 1 ${isLetThrough}
    ON CONFLICT (subject) DO UPDATE SET
      ends_at = CASE WHEN w.ends_at <= ${NOW} THEN excluded.ends_at ELSE w.ends_at END,
      uses = CASE WHEN w.ends_at <= ${NOW} THEN 1 ELSE w.uses + 1 END
    RETURNING subject, uses, ends_at
  )`;
};

/**
 * One statement, so that no two uses take the same place, on whatever instance; the windows are taken in one order, so that
 * no two statements wait for each other. A window starts with its first use. To be called outside of transactions: within
 * one what was counted would be held until its end, while all others who use the same wait.
 */
const countOf = (limits: number): string => {
  const places = Array.from({ length: limits }, (_, nth) => nth);
  const left = `ceil(extract(epoch FROM ends_at - ${NOW}))::float8 AS left`;
  const counted = places.map((nth) => `SELECT subject, uses, ${left}, true AS counted FROM used_${nth}`);
  const subjects = places.map((nth) => parametersOf(nth).subject).join(', ');
  // As it was before this statement: of one that was counted that is not looked at.
  const seen = `SELECT subject, uses, ${left}, false FROM limit_windows WHERE subject IN (${subjects}) AND ends_at > ${NOW}`;
  return `WITH ${places.map(counting).join(', ')} ${[...counted, seen].join(' UNION ALL ')}`;
};

type Row = { readonly subject: string; readonly uses: number; readonly left: number; readonly counted: boolean };

/**
 * By the clock of the database, unless told another. Of different subjects, in their order: what one refuses uses up
 * nothing of the next.
 */
export const countUses = async (
  db: Queryable,
  limits: readonly Limit[],
  now: Date | null = null,
): Promise<readonly CountedUse[]> => {
  const values = limits.flatMap(({ subject, withinSeconds, most }) => [subject, withinSeconds, most]).slice(0, -1);
  const asked = { name: `count_${limits.length}_uses`, text: countOf(limits.length), values: [now, ...values] };
  const { rows } = await db.query<Row>(asked);
  const rowOf = ({ subject }: Limit): Row | undefined =>
    rows.find((row) => row.subject === subject && row.counted) ?? rows.find((row) => row.subject === subject);
  return limits.map((limit) => {
    const { uses = 0, left = 0, counted = false } = rowOf(limit) ?? {};
    const secondsLeft = Math.max(1, left);
    return {
      ...limit,
      allowed: !counted || uses <= limit.most,
      remaining: Math.max(0, limit.most - uses),
      secondsLeft,
    };
  });
};
