import { startEmbeddedPostgres } from '../../../libs/platform/embedded-postgres/start.ts';

/** A program whose only trade is to own a Postgres: for tests that kill it. */
const refuse = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

const [dataDir = '', mark] = process.argv.slice(2);
const settings = mark === undefined ? {} : { cluster_name: mark };

try {
  const log = (message: string): void => {
    process.stderr.write(`${message}\n`);
  };
  const { url, pid, stop } = await startEmbeddedPostgres({ dataDir, log, settings, onExit: refuse });
  process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ url, pid })}\n`);
} catch (error) {
  refuse(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
