import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { depositStream, depositStreamPrefix } from '#deposit-commands';
import type { DepositCommand } from '#deposits';
import { accept, confirmed, expired, giveBack, history, issue, kyt, ofac, seen, settled } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { projections } from '#ground';
import { silentLogger } from '#platform/logging';
import { startProjections, stopWaiting, type TabledProjection, waitForPosition } from '#read-models';

const screened = [seen(), kyt('passed'), ofac('clear'), confirmed()];

/** What may become of a deposit, one after the other. */
const livesOf = (depositId: number): readonly (readonly DepositCommand[])[] => [
  [...screened, accept(), settled('batch-1')],
  [...screened, accept()],
  [...screened, giveBack({ returnId: depositId })],
  [seen(), kyt('failed')],
  [expired()],
  [seen(), kyt('review'), ofac('clear')],
];

const LIVES = 6;

const eventsOf = (depositId: number, life: readonly DepositCommand[]) => {
  const ids = { depositId, transactionId: depositId, entityId: 3 + (depositId % 2) };
  const opening = issue({ ...ids, now: '2026-03-01T12:00:00.000Z' });
  return history(opening, ...life).map(({ type, data }) => ({
    id: randomUUID(),
    type,
    data: JSON.parse(JSON.stringify(data)),
    metadata: { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'api key 17', correlationId: `c-${depositId}` },
  }));
};

const lifeOf = (depositId: number) => livesOf(depositId).at(depositId % LIVES) ?? [];

/** Deposits of two casinos, from `first` on. */
export const appendDeposits = async (log: EventLog, first: number, count: number): Promise<void> => {
  for (let depositId = first; depositId < first + count; depositId++)
    await log.append(depositStream(depositId), 'no_stream', eventsOf(depositId, lifeOf(depositId)));
};

/** What becomes of one of them later. */
export const appendMore = async (log: EventLog, depositId: number, ...more: readonly DepositCommand[]) => {
  const known = eventsOf(depositId, lifeOf(depositId)).length;
  const events = eventsOf(depositId, [...lifeOf(depositId), ...more]).slice(known);
  await log.append(depositStream(depositId), known - 1, events);
};

/** EventStoreDB tells those who follow other streams only now and then how far the log is. */
const follows = ({ projection: { filter } }: TabledProjection): boolean =>
  filter === undefined || 'types' in filter || filter.streamPrefixes.includes(depositStreamPrefix);

/** The rows of deposits made anew from the log, as an operator does it. */
export const rebuildDeposits = async (log: EventLog, pool: pg.Pool): Promise<void> => {
  const running = startProjections({ projections, log, pool, logger: silentLogger });
  if ((await running.rebuild('deposits')) !== 'started') throw new Error('no rebuild was started');
  while ((await pool.query('SELECT FROM projection_rebuilds')).rows.length > 0) await pause(50);
  await running.stop();
  await stopWaiting(pool);
};

/** The rows as they follow from the log, and nobody who brings them further. */
export const projectAll = async (log: EventLog, pool: pg.Pool): Promise<void> => {
  const running = startProjections({ projections, log, pool, logger: silentLogger });
  const position = await log.head();
  for (const { projection } of position === undefined ? [] : projections.filter(follows))
    if (position !== undefined && !(await waitForPosition({ ...projection, pool, position, withinMs: 10_000 })))
      throw new Error(`projection ${projection.name} did not come to the end of the log`);
  await running.stop();
  await stopWaiting(pool);
};
