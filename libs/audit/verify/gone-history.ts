import type pg from 'pg';
import { depositStreamPrefix } from '#deposit-commands';
import type { Finding } from './finding.ts';

/** Of a deposit of which no event is left: a row of its own says that there were some. Undefined: nobody made it. */
export const goneHistory = async (pool: pg.Pool, stream: string): Promise<Finding | undefined> => {
  const id = Number(stream.slice(depositStreamPrefix.length));
  const { rowCount } = await pool.query('SELECT FROM deposits WHERE id = $1', [id]);
  if (rowCount === 0) return undefined;
  return { by: 'rows', stream, table: 'deposits', key: { id }, problem: 'its history is not there' };
};
