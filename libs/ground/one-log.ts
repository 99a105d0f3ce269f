import { hostname } from 'node:os';
import { setTimeout as later } from 'node:timers/promises';
import { changeLog, keptLog, type LogNow, logLock, logNow } from '#instances';
import { recordChange } from '#partners';
import { type Connection, inTransactionOver, openConnection, type Queryable } from '#platform/postgres';
import { forgetPlaces } from './forget-places.ts';
import type { Ground } from './ground.ts';
import { mayHaveHistory, rememberedLog } from './kept-log.ts';
import { StartError } from './start-error.ts';
import { besides, isAlone, LOOK_MS, WAIT_MS } from './who-runs.ts';

type Parts = Pick<Ground, 'configuration' | 'logger' | 'name' | 'onAnotherLog' | 'pool'> & {
  readonly claim?: Pick<NonNullable<Ground['claim']>, 'name'> | undefined;
  readonly waitMs?: number;
};

const refusal = (kept: string, here: string, advice: string): StartError =>
  new StartError(`this installation has EVENT_STORE=${kept}, this instance EVENT_STORE=${here}: ${advice}`);

const asTheOthers = (kept: string): string =>
  `set EVENT_STORE=${kept}${kept === 'eventstoredb' ? ' and EVENTSTORE_URL' : ''} as the others have it`;

/** Only behind the lock what is kept stays kept. */
const join = async (client: Queryable, here: string): Promise<boolean> => {
  if (!(await logLock.share(client))) return false;
  if ((await keptLog(client)) === here) return true;
  await logLock.unshare(client);
  return false;
};

const change = async ({ logger }: Parts, client: Queryable, before: string, after: string): Promise<boolean> => {
  const work = async (): Promise<boolean> => {
    if (!(await isAlone(client, logLock)) || (await mayHaveHistory(client))) return false;
    if (!(await changeLog(client, before, after))) return false;
    await forgetPlaces(client);
    const what = { subject: 'event_store', subjectId: 'EVENT_STORE', before: { kind: before }, after: { kind: after } };
    await recordChange(client, { actor: 'EVENT_STORE', action: 'changed', ...what });
    return logLock.share(client);
  };
  const changed = await inTransactionOver(client, work, { isKept: (is) => is });
  if (changed)
    logger.warn(
      { alert: 'event_store_changed', before, after },
      'this installation keeps its history elsewhere from now on',
    );
  return changed;
};

const settle = async (parts: Parts, client: Queryable): Promise<void> => {
  const { eventStore, named } = parts.configuration;
  const { kind: here } = eventStore;
  const { waitMs = WAIT_MS } = parts;
  for (const until = performance.now() + waitMs; ; await later(LOOK_MS)) {
    const kept = await rememberedLog(client, here);
    if (kept !== here && (!named.eventStore || (await mayHaveHistory(client))))
      throw refusal(kept, here, asTheOthers(kept));
    if (kept === here ? await join(client, here) : await change(parts, client, kept, here)) return;
    if (performance.now() > until) throw refusal(kept, here, await besides(client, logLock));
  }
};

export type HeldLog = {
  /** With every beat: from the first one on others know of this process by that, and it looks what is kept by now. */
  readonly beaten: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Of a database that was put back to before the first start there is no name, and nothing was let go. */
const isAnother = ({ installation, letGo }: LogNow, own: string | undefined): boolean =>
  own !== undefined && ((installation !== undefined && installation !== own) || letGo.includes(own));

const createLook = ({ claim, configuration, logger, onAnotherLog, pool }: Parts): (() => Promise<void>) => {
  const here = configuration.eventStore.kind;
  // Of a log that has said none: it has none before the first start of an installation gave it one.
  let atFirst: string | undefined;
  let hasLeft = false;
  return async () => {
    const now = await logNow(pool);
    if (now === undefined || hasLeft) return;
    atFirst ??= now.installation;
    const { kind: kept } = now;
    if (kept === here && !isAnother(now, claim?.name.known() ?? atFirst)) return;
    hasLeft = true;
    const what = 'this installation keeps its history in another event log by now: this instance ends';
    logger.fatal({ alert: 'another_log', kept, here }, what);
    onAnotherLog(what);
  };
};

/**
 * An installation has one log. A process on another one would tell partners nothing of what is in the first, or decide on
 * a history that is not there. What is asked for by name changes that while there is no history and nobody else runs: a
 * process that opens is known by its share of the lock, until its beats tell of it. One that was frozen or cut off so long
 * that the log was changed meanwhile, or let go, ends.
 */
export const holdToLog = async (parts: Parts): Promise<HeldLog> => {
  const { pool, name } = parts;
  const connection: Connection = await openConnection(pool, `${name} on ${hostname()}, process ${process.pid}`);
  const look = createLook(parts);
  let closed: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    closed ??= connection.close();
    return closed;
  };
  try {
    await settle(parts, connection.client);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    beaten: async () => {
      await stop();
      await look();
    },
    stop,
  };
};
