import { once } from 'node:events';
import { createServer } from 'node:net';
import { NumbersUnavailable } from '#deposit-commands';
import {
  checksOf,
  type Ground,
  holdToLog,
  joinChecks,
  migrateAll,
  openDatabase,
  openGround,
  projections,
  settleChecks,
  simulatedParts,
  tellMissing,
  tellStanding,
  tellUntaken,
} from '#ground';
import { startBeating } from '#instances';
import type { Demonstration, MadeTokens } from '#partners';
import type { Configuration } from '#platform/configuration';
import { createHealth, type Health } from '#platform/health';
import type { Lifecycle } from '#platform/lifecycle';
import type { Logger } from '#platform/logging';
import { release } from '#platform/release';
import { listenError, type Place } from '../http/index.ts';
import type { App } from './app.ts';
import { placesOf } from './doors.ts';
import { serve } from './serve.ts';

/** A taken port is told at once, before a database is started for nothing. */
const checkPlace = async (place: Place): Promise<void> => {
  const probe = createServer();
  try {
    probe.listen(place.port, place.host);
    await once(probe, 'listening');
  } catch (error) {
    throw listenError(error, place);
  }
  probe.close();
  await once(probe, 'close');
};

export type StartParts = {
  readonly apps: readonly App[];
  /** Every app is among them: nobody else has to reach what this process keeps. */
  readonly isWhole: boolean;
  readonly configuration: Configuration;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** The embedded Postgres ended by itself: nothing can go on. */
  readonly onLost: (reason: string) => void;
  /** The same for an installation that was given another engine. */
  readonly onAnotherEngine: (reason: string) => void;
  /** The same for one that keeps its history elsewhere by now. */
  readonly onAnotherLog: (reason: string) => void;
};

export type Started = {
  readonly url: string;
  /** The same where operators have no port of their own. */
  readonly operatorUrl: string;
  /** Undefined where they are all there are. */
  readonly apps: readonly string[] | undefined;
  readonly hasDoor: boolean;
  readonly simulated: readonly string[];
  readonly demonstration: Demonstration | undefined;
  /** What was made at random on the first start: shown once. */
  readonly tokens: MadeTokens;
};

const EMBEDDED_APART =
  'this part of the service keeps a Postgres of its own, which no other part can reach: set DATABASE_URL to run parts apart';

/** No reason to stay down: the triggers and the chain are there all the same. */
const tellChangeable = (tables: readonly string[], health: Health, logger: Logger): void => {
  const what = `the service's own database role may change history (${tables.join(', ')}): MIGRATION_DATABASE_URL gives it to another role`;
  health.warn(what);
  logger.warn(what);
};

/** Waits for no log that does not answer: the next start makes it then. */
const demonstrationOf = async ({ logger, partners }: Ground): Promise<Demonstration | undefined> => {
  try {
    return await partners.createDemonstration();
  } catch (error) {
    if (!(error instanceof NumbersUnavailable)) throw error;
    logger.warn({ reason: error.message }, 'the demonstration account is left to the next start');
    return undefined;
  }
};

/** Everything that one process needs, from the ground up; `lifecycle` knows how to take it down again. */
export const start = async (parts: StartParts): Promise<Started> => {
  const { apps, isWhole, configuration, lifecycle, logger } = parts;
  const names = isWhole ? undefined : apps.map(({ name }) => name);
  for (const place of placesOf(configuration)) await checkPlace(place);
  if (names && configuration.database.kind === 'embedded') logger.warn(EMBEDDED_APART);
  const urls = await openDatabase(configuration, parts);
  const health = createHealth();
  lifecycle.onStop('not-ready', 'readiness', health.startStopping);
  const changeable = await migrateAll(urls, configuration, { onHeld: (what) => logger.warn(what) });
  const ground = await openGround({
    ...parts,
    databaseUrl: urls.service,
    health,
    name: ['cointill', ...(names ?? [])].join('-'),
  });
  const held = await holdToLog(ground);
  lifecycle.onStop('close-stores', 'the hold on the log', held.stop);
  await joinChecks(ground);
  const { hasDoor, ...served } = await serve(apps, ground);
  const beating = startBeating({
    ...{ db: ground.pool, logger, apps: apps.map(({ name }) => name), version: release },
    checks: checksOf(configuration),
    onBeat: async () => {
      await held.beaten();
      await settleChecks(ground);
    },
  });
  lifecycle.onStop('stop-consumers', 'the word that this process runs', beating.stop);
  const standing = tellStanding({ ...ground, projections });
  lifecycle.onStop('stop-consumers', 'the watch over what follows the log', standing.stop);
  const untaken = tellUntaken(ground);
  lifecycle.onStop('stop-consumers', 'the watch over what the bus has', untaken.stop);
  // Last, so that a start that fails does not use up the one showing of the key.
  const demonstration = hasDoor && configuration.demo ? await demonstrationOf(ground) : undefined;
  const ask = () => simulatedParts(ground);
  health.tellSimulated(ask);
  const simulated = await ask();
  if (configuration.engine !== 'simulated') logger.warn({ simulated }, 'parts of this service are simulated');
  if (changeable.length > 0) tellChangeable(changeable, health, logger);
  void tellMissing(health, configuration, logger);
  return { ...served, apps: names, hasDoor, simulated, demonstration };
};
