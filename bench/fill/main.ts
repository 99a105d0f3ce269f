import { parseArgs } from 'node:util';
import { filled, openGround } from '../lib/filled.ts';

// usage: npm run bench -- fill --data <directory> [--deposits 1000000]
// What it fills is found by `audit`, `rebuild` and `growth` with the same two options.
const { values } = parseArgs({
  options: { data: { type: 'string' }, deposits: { type: 'string', default: '1000000' } },
});
if (values.data === undefined) throw new TypeError('--data says where what is filled is kept');
const { url, close } = await openGround(values.data, { max_wal_size: '6GB', checkpoint_timeout: '30min' });
try {
  await filled(url, Number(values.deposits));
} finally {
  await close();
}
