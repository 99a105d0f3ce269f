import pg from 'pg';
import type { TableNames } from '../changes/statements.ts';

const SUFFIX = '_rebuild';

/** Postgres cuts longer names off in silence, and two tables would become one. */
const LONGEST = 63 - SUFFIX.length;

export const quoted = pg.escapeIdentifier;

export const besideOf = (table: string): string => `${table}${SUFFIX}`;

/** Only tables that were named are written, live or beside: a forgotten one would be filled twice by a rebuild. */
const among =
  (tables: readonly string[], name: TableNames): TableNames =>
  (table) => {
    if (!tables.includes(table))
      throw new TypeError(`table ${table} is written but not among the tables of its projection: ${tables.join(', ')}`);
    return name(table);
  };

export const liveTables = (tables: readonly string[]): TableNames => among(tables, (table) => table);

export const besideTables = (tables: readonly string[]): TableNames => among(tables, besideOf);

export const checkTables = (name: string, tables: readonly string[]): void => {
  for (const table of tables)
    if (!/^[a-z_][a-z0-9_]*$/.test(table) || table.length > LONGEST)
      throw new TypeError(`projection ${name}: table "${table}" is no plain name of at most ${LONGEST} characters`);
};
