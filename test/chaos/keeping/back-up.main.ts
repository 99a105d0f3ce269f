/** Argument: `{ "dataDir": …, "file": … }`. Makes a backup, as `cointill backup` does. */
import { backUp } from '#ground';

const { dataDir, file } = JSON.parse(process.argv[2] ?? '{}') as { dataDir: string; file: string };
process.send?.('begun');
await backUp(file, { dataDir, keepsKey: true });
process.disconnect?.();
