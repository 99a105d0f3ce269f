import type { Queryable } from '#platform/postgres';

/** Whether payments are played or real, and whether addresses may be of a demonstration. */
export type Played = { readonly engine: string; readonly demo: boolean };

export const isSameEngine = (one: Played, other: Played): boolean =>
  one.engine === other.engine && one.demo === other.demo;

/** Undefined before the first start. */
export const keptEngine = async (db: Queryable): Promise<Played | undefined> =>
  (await db.query<Played>('SELECT engine, demo FROM installation_engine')).rows[0];

/** Since when what is played is as it is. */
export const engineSince = async (db: Queryable): Promise<Date | undefined> =>
  (await db.query<{ since: Date }>('SELECT since FROM installation_engine')).rows[0]?.since;

/** What this installation was started with; what is given where it never was. */
export const rememberedEngine = async (db: Queryable, { engine, demo }: Played): Promise<Played> => {
  const insert = 'INSERT INTO installation_engine (engine, demo) VALUES ($1, $2) ON CONFLICT DO NOTHING';
  await db.query(insert, [engine, demo]);
  return (await keptEngine(db)) ?? { engine, demo };
};

/** False when it is another one meanwhile. */
export const changeEngine = async (db: Queryable, before: Played, after: Played): Promise<boolean> => {
  const { rowCount } = await db.query(
    'UPDATE installation_engine SET engine = $1, demo = $2, since = now() WHERE engine = $3 AND demo = $4',
    [after.engine, after.demo, before.engine, before.demo],
  );
  return rowCount === 1;
};
