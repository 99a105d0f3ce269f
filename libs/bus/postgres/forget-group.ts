import type { Pool } from 'pg';

/** For a group that will not come back: what it never committed need not be kept for it. */
export const forgetGroup = async (pool: Pool, topic: string, group: string): Promise<void> => {
  await pool.query('DELETE FROM bus_offsets WHERE topic = $1 AND group_name = $2', [topic, group]);
};
