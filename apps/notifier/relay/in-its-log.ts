import type pg from 'pg';
import { type EventLog, lacksOnlyOthers, lackToReadOn, type Standing, tellOwnLogBack } from '#event-log';
import type { Logger } from '#platform/logging';
import {
  bringRelayBack,
  mayBeOfAnotherLog,
  type RelayPlace,
  readRelay,
  relayed,
  stopRelay,
  unstopRelay,
} from '#webhooks';

type Parts = {
  readonly log: Pick<EventLog, 'end' | 'holds' | 'misses' | 'readAll'>;
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
 * A log that lacks but what the server and others wrote holds what was carried last, and nothing of ours behind it: what
 * comes next is written before the place that had been read to.
 */
const isBroughtBack = async ({ log }: Parts, client: pg.Client, place: RelayPlace): Promise<boolean> =>
  place.last !== undefined && (await lacksOnlyOthers(log, place, relayed)) && bringRelayBack(client, place.last);

/**
 * Where to go on; undefined where the log is not the one that the place is of. Behind the end of a log that was put back
 * it would pass over what is written up to there: nothing is carried until that log is there again, or an operator has
 * the relay go on. Where nothing of ours was carried only he can.
 */
export const placeInLog = async (parts: Parts, client: pg.Client): Promise<RelayPlace | undefined> => {
  const place = await readRelay(client);
  if (mayBeOfAnotherLog(place)) return undefined;
  // It may have read on by what others wrote, in whatever log that was.
  if (place.isBehindLast && place.last) await bringRelayBack(client, place.last);
  const lack = await lackToReadOn(parts.log, place);
  if (lack !== undefined && !(await isBroughtBack(parts, client, place))) {
    await stopLoudly(parts, client, place, lack);
    return undefined;
  }
  if (place.stopped !== undefined) await goOnLoudly(parts, client);
  return readRelay(client);
};
