import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { depositStream } from '#deposit-commands';
import type { DepositEvent } from '#deposits';
import { accept, confirmed, history, issue, kyt, ofac, seen } from '#deposits/testing';
import type { EventLog, JsonObject } from '#event-log';
import type { ChaosCasino } from './casinos.ts';

/** What a partner is to hear of a deposit, written down by hand: event by event of its history. */
const HEARD: readonly (readonly string[])[] = [
  ['transaction.pending'],
  ['deposit.received', 'transaction.succeed'],
  ['ofac_complete'],
  ['kyt_complete'],
  ['deposit.confirmed', 'transaction.confirmed'],
  ['deposit.accepted'],
];

export const EVENTS_OF_A_DEPOSIT = HEARD.length;
export const heardOfADeposit = HEARD.flat();

export type ChaosDeposit = { readonly depositId: number; readonly endpoint: number; readonly entityId: number };

/** Enough deposits for so many events, the casinos taking turns. */
export const depositsFor = (events: number, casinos: readonly ChaosCasino[], firstId = 1): readonly ChaosDeposit[] =>
  Array.from({ length: Math.ceil(events / EVENTS_OF_A_DEPOSIT) }, (_, n) => {
    const endpoint = n % casinos.length;
    return { depositId: firstId + n, endpoint, entityId: casinos[endpoint]?.entityId ?? 0 };
  });

const lifeOf = ({ depositId, entityId }: ChaosDeposit): readonly DepositEvent[] => {
  const quote = issue({ depositId, transactionId: depositId, entityId });
  const life = history(quote, seen(), ofac('clear'), kyt('passed'), confirmed(), accept());
  if (life.length !== EVENTS_OF_A_DEPOSIT) throw new Error(`a deposit has ${life.length} events here`);
  return life;
};

/** The same for the same place: an append whose answer was lost is repeated, not doubled. */
const idOf = (stream: string, revision: number): string =>
  createHash('sha256')
    .update(`${stream} ${revision}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

export const nameOf = (depositId: number, event: string): string => `${depositId} ${event}`;

export type Appending = {
  readonly log: EventLog;
  readonly eventsPerSecond: number;
  /** When the append of what brings these webhooks about was called. */
  readonly onAppend?: (names: readonly string[], at: number) => void;
};

/**
 * Writes the histories of the deposits at a steady pace, one event an append. A casino's deposits begin one after the
 * other; the events of 50 deposits alternate.
 */
export const appendLives = async (
  deposits: readonly ChaosDeposit[],
  { log, eventsPerSecond, onAppend }: Appending,
): Promise<void> => {
  const start = Date.now();
  const SIDE_BY_SIDE = 50;
  const turnOf = (n: number, revision: number): number => {
    const round = Math.floor(n / SIDE_BY_SIDE) * EVENTS_OF_A_DEPOSIT + revision;
    return round * SIDE_BY_SIDE + (n % SIDE_BY_SIDE);
  };
  const live = async (deposit: ChaosDeposit, n: number): Promise<void> => {
    const stream = depositStream(deposit.depositId);
    for (const [revision, { type, data }] of lifeOf(deposit).entries()) {
      await delay(Math.max(0, start + (turnOf(n, revision) * 1_000) / eventsPerSecond - Date.now()));
      const heard = HEARD[revision] ?? [];
      onAppend?.(
        heard.map((event) => nameOf(deposit.depositId, event)),
        Date.now(),
      );
      await log.append(stream, revision === 0 ? 'no_stream' : revision - 1, [
        {
          id: idOf(stream, revision),
          type,
          data: data as unknown as JsonObject,
          metadata: { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'engine' },
        },
      ]);
    }
  };
  await Promise.all(deposits.map(live));
};
