import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { depositStream } from '#deposit-commands';
import { accept, confirmed, history, issue, kyt, ofac, seen, settled } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { projections } from '#ground';
import { silentLogger } from '#platform/logging';
import { startProjections, stopWaiting, waitForPosition } from '#read-models';

const WRITERS = 64;

const append = async (log: EventLog, depositId: number): Promise<void> => {
  const life = [seen(), kyt('passed'), ofac('clear'), confirmed(), accept(), settled('batch-1')];
  const events = history(issue({ depositId, transactionId: depositId, entityId: depositId % 50 }), ...life);
  const written = events.map(({ type, data }) => ({
    id: randomUUID(),
    type,
    data: JSON.parse(JSON.stringify(data)),
    metadata: { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'api key 17', correlationId: randomUUID() },
  }));
  await log.append(depositStream(depositId), 'no_stream', written);
};

/** Accepted and settled deposits, with the rows that follow from them. */
export const fill = async ({ log, pool }: { log: EventLog; pool: pg.Pool }, deposits: number): Promise<void> => {
  let next = 1;
  const write = async (): Promise<void> => {
    while (next <= deposits) await append(log, next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  const running = startProjections({ projections, log, pool, logger: silentLogger });
  const position = await log.head();
  for (const { projection } of projections)
    while (position !== undefined && !(await waitForPosition({ ...projection, pool, position, withinMs: 10_000 })));
  await running.stop();
  await stopWaiting(pool);
  await pool.query('VACUUM ANALYZE');
};
