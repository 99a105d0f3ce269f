import { parentPort } from 'node:worker_threads';
import { holdRows } from '#audit';
import { knownEvents } from '#deposit-commands';
import { projections } from '#ground';
import { openStores } from './stores.ts';

const { log, pool, close } = await openStores();
if (!parentPort || !pool) throw new TypeError('it is a thread of a verification, with a database');
await holdRows(parentPort, { log, pool, projections, known: knownEvents });
await close();
