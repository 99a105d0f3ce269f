import { setTimeout as delay } from 'node:timers/promises';
import { openPostgresEventLog } from '#event-log/postgres';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { openDepositReads } from '#read-models/deposits';
import { spreadOf } from '../lib/statistics.ts';

/** A process of the api: one deposit after the other is read, each another, with a breath in between. */
const EVERY_MS = 5;

const [url = '', deposits = '1'] = process.argv.slice(2);
const log = await openPostgresEventLog({ databaseUrl: url });
const pool = createPool({ url, applicationName: 'bench reads', logger: silentLogger });
const reads = await openDepositReads({ url, pool, log });
let took: number[] = [];
process.on('message', () => {
  process.send?.({ reads: took.length, ms: spreadOf(took).median });
  took = [];
});
process.once('disconnect', () => process.exit(0));
for (let nth = 0; ; nth = (nth + 7_919) % Number(deposits)) {
  const since = performance.now();
  if (!(await reads.byId(nth + 1))) throw new Error(`deposit ${nth + 1} is not there`);
  took.push(performance.now() - since);
  await delay(EVERY_MS);
}
