import { randomUUID } from 'node:crypto';
import { depositStream } from '#deposit-commands';
import { type DepositCommand, type DepositEvent } from '#deposits';
import { history } from '#deposits/testing';
import type { Position } from '#event-log';
import type { Listed } from '../../freshness.ts';
import { openGround } from '../../testing/ground.ts';
import { openDepositReads } from '../deposit-reads.ts';
import { depositsProjection } from '../projection.ts';
import type { DepositObject } from '../rows/view-of-row.ts';
import type { Written } from './lives.ts';

type Shown = { readonly deposits: readonly DepositObject[]; readonly total: number };

/** The terms of these are those of a deposit of its own. */
const written = (depositId: number, { type, data }: DepositEvent): Written => ({
  stream: depositStream(depositId),
  type,
  data: JSON.parse(JSON.stringify(data)),
});

/** The list of who must not be told that it is behind. */
export const listed = async <List>(reading: Promise<Listed<List>>): Promise<List> => {
  const read = await reading;
  if (read.outcome === 'behind') throw new Error('the list is behind');
  return read.list;
};

/** A log, the rows of its deposits and what is read of them, in one database. */
export const openDepositGround = async (url: string, patienceMs = 5_000) => {
  const ground = await openGround(url);
  const reads = await openDepositReads({ url, pool: ground.pool, log: ground.log, patienceMs });
  let last: Position | undefined;

  /** In the order in which they come, a stream's neighbours in one append. */
  const write = async (events: readonly Written[]): Promise<void> => {
    for (const [stream, those] of Map.groupBy(events, (event) => event.stream)) {
      const appended = await ground.log.append(
        stream,
        'any',
        those.map(({ type, data }) => ({
          id: randomUUID(),
          type,
          data,
          metadata: { occurredAt: '2026-03-01T12:00:00.000Z' },
        })),
      );
      last = appended.position;
    }
  };

  return {
    ...ground,
    /** Answers of partners, read as they read them. */
    reads: {
      ...reads,
      byId: async (depositId: number) => {
        const known = await reads.byId(depositId);
        return known && { ...known, view: JSON.parse(known.text) as DepositObject };
      },
      list: async (query: Parameters<typeof reads.list>[0]): Promise<Listed<Shown>> => {
        const read = await reads.list(query);
        return read.outcome === 'behind' ? read : { ...read, list: JSON.parse(read.list) as Shown };
      },
    },
    write,
    /** The commands were all applied to this deposit. */
    happened: (depositId: number, ...steps: readonly DepositCommand[]): Promise<void> =>
      write(history(...steps).map((event) => written(depositId, event))),
    project: () => ground.start(depositsProjection),
    caughtUp: async (): Promise<void> => {
      if (last && !(await reads.untilVisible(last, 20_000))) throw new Error('the projection does not catch up');
    },
    close: async () => {
      await reads.close();
      await ground.close();
    },
  };
};
