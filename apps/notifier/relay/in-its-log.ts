import type pg from 'pg';
import { type EventLog, lackForGood, type Standing, tellOwnLogBack } from '#event-log';
import type { Logger } from '#platform/logging';
import { mayBeOfAnotherLog, moveRelay, type RelayPlace, readRelay, stopRelay, unstopRelay } from '#webhooks';

type Parts = {
  readonly log: Pick<EventLog, 'end' | 'misses'>;
  readonly logger: Logger;
};

const reasonFor = (lack: string): string =>
  `the relay of webhooks ${lack}: it is another log, or one that was put back or emptied; \`cointill audit ahead\` ` +
  'shows by how much, and `cointill deliveries take-up` lets it go on in this one';

/**
 * Once, and of the place that was judged: whoever has moved it meanwhile has it go on. Whoever reads the log of the process
 * is told with the inbox and readiness.
 */
export const stopLoudly = async (
  { logger }: Pick<Parts, 'logger'>,
  client: pg.Client,
  { position, last }: Standing,
  lack: string,
): Promise<void> => {
  const reason = reasonFor(lack);
  if (await stopRelay(client, { position, last }, reason))
    logger.error({ alert: 'relay_stopped', position, last }, reason);
};

const goOnLoudly = async ({ logger }: Parts, client: pg.Client): Promise<void> => {
  const since = await unstopRelay(client);
  if (since) tellOwnLogBack(logger, { relay: 'webhooks' }, since.toISOString());
};

/**
 * A log that lacks but what the server and others wrote holds what was carried last: behind that nothing was, and what comes
 * next is written before the place that had been read to.
 */
const broughtBack = async (
  { log }: Parts,
  client: pg.Client,
  { position, last }: RelayPlace,
): Promise<RelayPlace | undefined> => {
  if (last === undefined || (await lackForGood(log, { position: last.position, last })) !== undefined) return undefined;
  const isMoved = await moveRelay(client, position, last.position, last);
  return isMoved ? { position: last.position, last, stopped: undefined } : undefined;
};

/**
 * Where to go on; undefined where the log is not the one that the place is of. Behind the end of a log that was put back
 * it would pass over what is written up to there: nothing is carried until that log is there again, or an operator has
 * the relay go on. Where nothing of ours was carried only he can.
 */
export const placeInLog = async (parts: Parts, client: pg.Client): Promise<RelayPlace | undefined> => {
  const place = await readRelay(client);
  if (mayBeOfAnotherLog(place)) return undefined;
  const lack = await lackForGood(parts.log, place);
  if (lack === undefined) {
    if (place.stopped !== undefined) await goOnLoudly(parts, client);
    return place;
  }
  const back = await broughtBack(parts, client, place);
  if (back === undefined) await stopLoudly(parts, client, place, lack);
  return back;
};
