import type { Delivered } from '../../port.ts';
import type { Place } from './claim.ts';
import type { Session } from './session.ts';

/** As long as it lasts, but at least one message; octet_length of a stored text does not read the text. */
const MAX_BATCH_BYTES = 4_000_000;

const READ = `
  SELECT id, key, value, "offset"::text FROM (
    SELECT id, key, value, "offset", sum(octet_length(value)) OVER (ORDER BY "offset") - octet_length(value) AS before
    FROM (
      SELECT * FROM bus_messages WHERE topic = $1 AND partition = $2 AND "offset" >= $3 ORDER BY "offset" LIMIT $4
    ) AS next
  ) AS sized
  WHERE before < ${MAX_BATCH_BYTES} ORDER BY sized."offset"`;

export const readBatch = async (
  session: Session,
  { topic, partition }: Place,
  from: bigint,
  limit: number,
): Promise<Delivered[]> => {
  const rows = await session.query<Pick<Delivered, 'id' | 'key' | 'value' | 'offset'>>(READ, [
    topic,
    partition,
    from.toString(),
    limit,
  ]);
  return rows.map((row) => ({ ...row, topic, partition }));
};
