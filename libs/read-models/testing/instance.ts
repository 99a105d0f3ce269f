import { setTimeout as pause } from 'node:timers/promises';
import { applications, openGround } from './ground.ts';

/** One process of several: `node instance.ts <database url>` runs the projection and says when it owns it. */
const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: instance.ts <database url>');

const ground = await openGround(url);
const running = ground.start(applications, 3);

/** One look after the other, and none once it owns: a look that was frozen half-way is an answer that never came. */
const sayWhenOwner = async (): Promise<void> => {
  while (!(await running.status()).owner) await pause(20);
  process.stdout.write('owner\n');
};

process.once('SIGTERM', () => void ground.close());

await sayWhenOwner();
