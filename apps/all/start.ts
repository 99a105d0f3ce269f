import type { Demonstration, MadeTokens } from '#partners';
import type { Configuration } from '#platform/configuration';
import { createHealth } from '#platform/health';
import type { Lifecycle } from '#platform/lifecycle';
import type { Logger } from '#platform/logging';
import { openDatabase } from './database.ts';
import { StartError } from './expected-failure.ts';
import { openGround } from './ground.ts';
import { migrateAll } from './migrations.ts';
import { checkPlace } from './place.ts';
import { serve } from './service/serve.ts';
import { tellMissing } from './tell-missing.ts';

export type StartParts = {
  readonly configuration: Configuration;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** The embedded Postgres ended by itself: nothing can go on. */
  readonly onLost: (reason: string) => void;
};

export type Started = {
  readonly url: string;
  readonly demonstration: Demonstration | undefined;
  /** What was made at random on the first start: shown once. */
  readonly tokens: MadeTokens;
};

/** Real money would be taken that nobody watches. */
const checkEngine = ({ engine }: Configuration): void => {
  if (engine === 'live')
    throw new StartError(
      'ENGINE=live needs watchers of the chains, which this version does not have: use simulated, or external with an engine of your own',
    );
};

/** Everything that one process needs, from the ground up; `lifecycle` knows how to take it down again. */
export const start = async (parts: StartParts): Promise<Started> => {
  const { configuration, lifecycle } = parts;
  checkEngine(configuration);
  await checkPlace(configuration.http);
  const databaseUrl = await openDatabase(configuration, parts);
  const health = createHealth();
  lifecycle.onStop('not-ready', 'readiness', health.startStopping);
  await migrateAll(databaseUrl, configuration);
  const ground = await openGround({ ...parts, databaseUrl, health });
  const { url, tokens } = await serve(ground);
  // Last, so that a start that fails does not use up the one showing of the key.
  const demonstration = await ground.partners.createDemonstration();
  void tellMissing(health, configuration, parts.logger);
  return { url, demonstration, tokens };
};
