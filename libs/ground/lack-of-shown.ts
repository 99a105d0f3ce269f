import { type EventLog, lackForGood } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { lackOfRows } from '#read-models';
import { mayBeOfAnotherLog, readRelay } from '#webhooks';
import { projections } from './projections.ts';

type Log = Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll'>;

const lackOfTold = async (log: Log, db: Queryable): Promise<string | undefined> => {
  const relay = await readRelay(db);
  if (mayBeOfAnotherLog(relay)) return relay.stopped;
  const lack = await lackForGood(log, relay);
  return lack && `the relay of webhooks ${lack}: \`cointill deliveries take-up\` lets it go on in this log`;
};

/** What was shown or told to somebody, and the log does not hold. */
export const lackOfShown = async (log: Log, db: Queryable): Promise<string | undefined> =>
  (await lackOfRows(
    log,
    db,
    projections.map(({ projection }) => projection),
  )) ?? lackOfTold(log, db);
