/** Argument: `{ "url": …, "dataDir": … }`. Rotates the key of the data directory, as `cointill secrets rotate` does. */
import { rotateKeptSecrets } from '#ground';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';

const { url, dataDir } = JSON.parse(process.argv[2] ?? '{}') as { url: string; dataDir: string };
const pool = createPool({ url, applicationName: 'rotation', logger: silentLogger });
await pool.query('SELECT 1');
process.send?.('begun');
await rotateKeptSecrets({ pool, configuration: { dataDir, secretsKey: undefined }, actor: 'chaos' });
await pool.end();
process.disconnect?.();
