import { together } from '#platform/together';
import { type ConsumeOptions, DEFAULT_BATCH_SIZE, type Delivered } from '../../port.ts';
import { type Committed, commit } from './offsets.ts';
import type { Session } from './session.ts';

/** Of one statement, but at least one message of each partition; octet_length of a stored text does not read the text. */
const MAX_BATCH_BYTES = 4_000_000;

const READ = `
  SELECT asked.nth, batch.* FROM unnest($2::int[], $3::bigint[]) WITH ORDINALITY AS asked (place, first, nth)
  CROSS JOIN LATERAL (
    SELECT id, key, value, "offset", sum(octet_length(value)) OVER (ORDER BY "offset") - octet_length(value) AS before
    FROM (
      SELECT * FROM bus_messages WHERE topic = $1 AND partition = place AND "offset" >= first ORDER BY "offset" LIMIT $4
    ) AS next
  ) AS batch
  WHERE before < $5 ORDER BY nth, "offset"`;

type Asked = { readonly partition: number; readonly from: bigint };

type Row = Pick<Delivered, 'id' | 'key' | 'value' | 'offset'> & { readonly nth: string };

/** What comes next in each of these partitions. */
const readBatches = async (
  session: Session,
  topic: string,
  asked: readonly Asked[],
  limit: number,
): Promise<readonly Delivered[][]> => {
  const rows = await session.query<Row>(READ, [
    topic,
    asked.map(({ partition }) => partition),
    asked.map(({ from }) => from.toString()),
    limit,
    Math.ceil(MAX_BATCH_BYTES / asked.length),
  ]);
  const batches: Delivered[][] = asked.map(() => []);
  for (const { nth, id, key, value, offset } of rows) {
    const place = Number(nth) - 1;
    batches[place]?.push({ id, key, value, offset, topic, partition: asked[place]?.partition ?? 0 });
  }
  return batches;
};

/** What the partitions of a session do at the same moment is one statement. */
export type InStep = {
  readonly read: (asked: Asked) => Promise<readonly Delivered[]>;
  readonly commit: (committed: Committed) => Promise<void>;
};

export const inStep = (session: Session, { group, topic, batchSize = DEFAULT_BATCH_SIZE }: ConsumeOptions): InStep => ({
  read: together((asked) => readBatches(session, topic, asked, batchSize)),
  commit: together(async (committed) => {
    await commit(session, { group, topic }, committed);
    return committed.map(() => undefined);
  }),
});
