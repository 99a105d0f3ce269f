import type pg from 'pg';
import type { EventMark, Position } from '#event-log';

export const placeOf = (nth: number): Position => {
  const each = String(nth).padStart(20, '0');
  return `${each}.${each}` as Position;
};

export const markOf = (nth: number): EventMark => ({
  ...{ stream: `deposit-${nth}`, revision: 0, position: placeOf(nth) },
  id: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
});

/** What the relay remembers, each of them kept a minute before the next. */
export const keepMarks = async (pool: pg.Pool, count: number): Promise<void> => {
  const marks = Array.from({ length: count }, (_, nth) => markOf(nth + 1));
  await pool.query(
    `INSERT INTO webhook_relay_marks (position, event, kept_at)
     SELECT mark ->> 'position', mark, now() - ($2 - nth) * interval '1 minute'
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS each (mark, nth)`,
    [JSON.stringify(marks), count],
  );
};

/** One that lacks some, and notes what it was asked for. */
export const logWithout = (isLacking: (position: Position) => boolean) => {
  const asked: Position[] = [];
  return {
    asked,
    log: {
      end: async () => placeOf(1_000_000),
      misses: async ({ position }: EventMark) => {
        asked.push(position);
        return isLacking(position);
      },
    },
  };
};

export const between =
  (first: number, last: number) =>
  (position: Position): boolean =>
    position >= placeOf(first) && position <= placeOf(last);
