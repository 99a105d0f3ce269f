import { randomUUID } from 'node:crypto';
import { depositStream } from '#deposit-commands';
import { accept, confirmed, history, issue, kyt, ofac, seen, settled } from '#deposits/testing';
import type { EventLog, JsonObject } from '#event-log';

const WRITERS = 64;

/** A deposit belongs to the casino that is left when its id is divided by this. */
export const CASINOS = 50;

const append = async (log: EventLog, depositId: number, affiliateId: number): Promise<number> => {
  const life = [seen(), kyt('passed'), ofac('clear'), confirmed(), accept(), settled('batch-1')];
  const ids = { depositId, transactionId: depositId, affiliateId, entityId: depositId % CASINOS };
  const events = history(issue(ids), ...life);
  await log.append(
    depositStream(depositId),
    'no_stream',
    events.map(({ type, data }) => ({
      id: randomUUID(),
      type,
      data: JSON.parse(JSON.stringify(data)) as JsonObject,
      metadata: { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'api key 17', correlationId: randomUUID() },
    })),
  );
  return events.length;
};

/** Accepted and settled deposits; gives how many events they have. */
export const fillLog = async (log: EventLog, deposits: number, affiliateId = 1): Promise<number> => {
  let next = 1;
  const write = async (): Promise<number> => {
    let events = 0;
    while (next <= deposits) events += await append(log, next++, affiliateId);
    return events;
  };
  const written = await Promise.all(Array.from({ length: WRITERS }, write));
  return written.reduce((sum, events) => sum + events, 0);
};
