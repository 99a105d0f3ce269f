import { BrokenHistory } from '#event-log';
import { StartError } from '#ground';
import { ConfigurationError, idleSettings, readConfiguration, type Variables } from '#platform/configuration';
import { EmbeddedPostgresError } from '#platform/embedded-postgres';
import { createLifecycle, stopOnSignals } from '#platform/lifecycle';
import { createLog, type Log } from '#platform/logging';
import { MigrationError } from '#platform/migrations';
import { whenParentGone } from '#platform/parent-watch';
import { SecretsKeyError, WrongSecretsKey } from '#platform/secrets';
import { ListenError } from '../http/index.ts';
import type { App } from './app.ts';
import { sayFirstWords } from './first-words.ts';
import { firstWords, greeting } from './greeting.ts';
import { start } from './start.ts';

const EXPECTED = [
  BrokenHistory,
  StartError,
  ConfigurationError,
  EmbeddedPostgresError,
  ListenError,
  MigrationError,
  SecretsKeyError,
  WrongSecretsKey,
];

/** What to print instead of a stack; undefined for a fault of ours. */
const expectedFailure = (error: unknown): string | undefined =>
  EXPECTED.some((kind) => error instanceof kind) ? (error as Error).message : undefined;

const exitAfter = ({ flush }: Log, code: number): void => {
  flush();
  process.exit(code);
};

const serveUntilAsked = async (apps: readonly App[], variables: Variables, isWhole: boolean): Promise<void> => {
  const configuration = readConfiguration(variables);
  const log = createLog(configuration.logging);
  const { logger, flush } = log;
  for (const line of idleSettings(configuration)) logger.warn(line);
  const lifecycle = createLifecycle({ logger });
  lifecycle.onStop('flush-logs', 'the log', flush);
  const giveUp = (what: string) => (cause: unknown) => {
    logger.fatal({ err: cause }, what);
    void lifecycle.stop(what).then(() => exitAfter(log, 1));
  };
  process.on('uncaughtException', giveUp('an error that nobody caught'));
  stopOnSignals({ lifecycle, logger, exit: (code) => exitAfter(log, code) });
  whenParentGone(() => void lifecycle.stop('the parent process is gone').then(() => exitAfter(log, 0)));
  try {
    const started = await start({
      apps,
      isWhole,
      configuration,
      lifecycle,
      logger,
      onLost: giveUp('the database is gone'),
      onAnotherEngine: giveUp('the engine is another one'),
      onAnotherLog: giveUp('the event log is another one'),
    });
    const first = firstWords(started, configuration);
    const said = first && (await sayFirstWords(first, configuration.dataDir, process.stdout.isTTY === true));
    process.stdout.write(`${greeting(started)}\n${said ? `\n${said}\n` : ''}`);
  } catch (error) {
    await lifecycle.stop('the start failed');
    throw error;
  }
};

/** Runs until a signal; whatever keeps it from starting is told on standard error, in one line where it can be. */
export const run = async (apps: readonly App[], variables: Variables, { isWhole = false } = {}): Promise<void> => {
  try {
    await serveUntilAsked(apps, variables, isWhole);
  } catch (error) {
    const line = expectedFailure(error);
    process.stderr.write(`${line ?? (error instanceof Error ? error.stack : String(error))}\n`);
    process.exit(1);
  }
};
