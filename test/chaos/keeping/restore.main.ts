/** Argument: `{ "dataDir": …, "file": … }`. Restores a backup over what is there, as `cointill restore --yes` does. */
import { restoreBackup } from '#ground';

const { dataDir, file } = JSON.parse(process.argv[2] ?? '{}') as { dataDir: string; file: string };
process.send?.('begun');
await restoreBackup(file, { dataDir, over: true });
process.disconnect?.();
