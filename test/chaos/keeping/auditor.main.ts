/** Argument: `{ "url": …, "dataDir": … }`. Runs what auditors have asked for, as a service does, until nothing is left. */
import { setTimeout as delay } from 'node:timers/promises';
import { startAuditor } from '#audit';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { openSecrets } from '#partners';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { loadSecretsKey } from '#platform/secrets';

const { url, dataDir } = JSON.parse(process.argv[2] ?? '{}') as { url: string; dataDir: string };
const pool = createPool({ url, applicationName: 'auditor', logger: silentLogger });
const log = await openPostgresEventLog({ databaseUrl: url });
const secrets = await openSecrets(pool, () => loadSecretsKey(undefined, dataDir));
process.send?.('begun');
const auditor = startAuditor({
  ...{ log, pool, secrets, projections, logger: silentLogger, sealEverySeconds: 0, onFinding: () => undefined },
});
const isLeft = async (): Promise<boolean> =>
  (await pool.query(`SELECT FROM audit_jobs WHERE state IN ('waiting', 'running')`)).rowCount !== 0;
while (await isLeft()) await delay(20);
await auditor.stop();
await log.close();
await pool.end();
process.disconnect?.();
