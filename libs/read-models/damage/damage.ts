import type { Queryable } from '#platform/postgres';
import type { Statement } from '../changes/statements.ts';

/** A stream that a projection takes nothing more of. */
export type Damage = {
  readonly stream: string;
  /** The first that is in no row. */
  readonly revision: number;
  readonly problem: string;
};

export type KnownDamage = Damage & { readonly found_at: string; readonly rebuild: boolean };

/** Whose it is: of the live rows, or of those that a rebuild fills. */
export type DamageOf = { readonly name: string; readonly rebuild: boolean };

const FIRST = 100;

/** For the transaction that passes over the first of its events. */
export const keepDamage = ({ name, rebuild }: DamageOf, damage: readonly Damage[]): readonly Statement[] =>
  damage.length === 0
    ? []
    : [
        {
          text: `INSERT INTO projection_damage (name, rebuild, stream, revision, problem)
            SELECT name, rebuild, stream, revision, problem FROM json_populate_recordset(NULL::projection_damage, $1)
            ON CONFLICT DO NOTHING`,
          values: [JSON.stringify(damage.map((each) => ({ ...each, name, rebuild })))],
        },
      ];

export const readDamage = async (db: Queryable, { name, rebuild }: DamageOf): Promise<Map<string, number>> => {
  const { rows } = await db.query<{ stream: string; revision: string }>(
    'SELECT stream, revision FROM projection_damage WHERE name = $1 AND rebuild = $2',
    [name, rebuild],
  );
  return new Map(rows.map(({ stream, revision }) => [stream, Number(revision)]));
};

/** For the transaction that takes it up again. */
export const endDamage = ({ name }: Pick<DamageOf, 'name'>, stream: string): Statement => ({
  text: `DELETE FROM projection_damage WHERE NOT rebuild
    AND (name, stream) IN (SELECT name, stream FROM json_populate_recordset(NULL::projection_damage, $1))`,
  values: [JSON.stringify([{ name, stream }])],
});

export const forgetDamage = async (db: Queryable, { name, rebuild }: DamageOf): Promise<void> => {
  await db.query('DELETE FROM projection_damage WHERE name = $1 AND rebuild = $2', [name, rebuild]);
};

/** In the transaction that lets the tables change places. */
export const switchDamage = async (db: Queryable, name: string): Promise<void> => {
  await forgetDamage(db, { name, rebuild: false });
  await db.query('UPDATE projection_damage SET rebuild = false WHERE name = $1', [name]);
};

type Row = Omit<KnownDamage, 'revision' | 'found_at'> & { revision: string; found_at: Date };

/** How many there are, and the first hundred. */
export const listDamage = async (db: Queryable, name: string) => {
  const { rows } = await db.query<Row & { of: string }>(
    `SELECT stream, revision, problem, found_at, rebuild, count(*) OVER () AS of FROM projection_damage
     WHERE name = $1 ORDER BY rebuild, found_at, stream LIMIT ${FIRST}`,
    [name],
  );
  const damage: KnownDamage[] = rows.map(({ of: _, revision, found_at, ...row }) => ({
    ...{ ...row, revision: Number(revision), found_at: found_at.toISOString() },
  }));
  return { damage, damagedStreams: Number(rows[0]?.of ?? 0) };
};
