import { applications, openGround } from './ground.ts';

/** One process of several: `node instance.ts <database url>` runs the projection and says when it owns it. */
const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: instance.ts <database url>');

const ground = await openGround(url);
const running = ground.start(applications, 3);

const sayWhenOwner = setInterval(async () => {
  const { owner } = await running.status();
  if (!owner) return;
  clearInterval(sayWhenOwner);
  process.stdout.write('owner\n');
}, 20);

process.on('SIGTERM', async () => {
  clearInterval(sayWhenOwner);
  await ground.close();
});
