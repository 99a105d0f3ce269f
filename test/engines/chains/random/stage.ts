import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Currency,
  type DepositHandle,
  type Hooked,
  hookedCasinos,
  type OpenEndpoint,
  openMarket,
  type Service,
  serviceAt,
} from '../../../acceptance/harness/index.ts';
import { sendRepeatedly } from '../../../chaos/scattered/repeating.ts';
import { ensureBuilt, openInstance } from '../../../scattered/instance.ts';
import { startPostgresServer } from '../../../support/postgres-server.ts';

export type RandomStage = {
  readonly service: Service;
  readonly hooked: Hooked;
  readonly deposit: () => Promise<DepositHandle>;
  /** kill -9, and back again. */
  readonly kill: { readonly watcher: () => Promise<void>; readonly postgres: () => Promise<void> };
  readonly stop: () => Promise<void>;
};

const token = (): string => randomBytes(20).toString('hex');

/** Whom a casino talks to in one process, what watches in another, and a Postgres that may be killed under both. */
export const openRandomStage = async (
  coin: Currency,
  chain: Readonly<Record<string, string>>,
  open: OpenEndpoint,
): Promise<RandomStage> => {
  await ensureBuilt();
  const dataDir = await mkdtemp(join(tmpdir(), 'cointill-random-'));
  const postgres = await startPostgresServer();
  const [operatorToken, engineToken] = [token(), token()];
  const settings = {
    ...{ ENGINE: 'live', DEMO: 'true', DATABASE_URL: postgres.url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    ...{ OPERATOR_TOKEN: operatorToken, ENGINE_TOKEN: engineToken, WEBHOOK_ALLOW_PRIVATE: 'true' },
    ...chain,
  };
  const rest = await openInstance('all', settings, ['api', 'operator', 'engine', 'projector', 'notifier']);
  await rest.start();
  const watcher = await openInstance('watcher', settings);
  await watcher.start();
  const access = { url: `http://127.0.0.1:${rest.port}`, operatorToken, engineToken };
  const service = serviceAt(() => access, sendRepeatedly);
  await openMarket(service);
  const hooked = await hookedCasinos(service, open)();
  return {
    ...{ service, hooked },
    deposit: () => hooked.casino.deposit({ currency: coin, amount: 10 }),
    kill: {
      watcher: async () => {
        await watcher.kill();
        await watcher.start();
      },
      postgres: postgres.crash,
    },
    stop: async () => {
      await watcher.stop();
      await rest.stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
