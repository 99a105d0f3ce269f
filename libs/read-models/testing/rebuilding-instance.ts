import { openGround, PAYMENTS_AND_TABLES } from './ground.ts';

/** One process of several: `node rebuilding-instance.ts <database url>`; slow, since it takes event by event. */
const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: rebuilding-instance.ts <database url>');

const ground = await openGround(url);
ground.startAll([PAYMENTS_AND_TABLES], 1);
