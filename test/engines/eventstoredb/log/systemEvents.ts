import { randomUUID } from 'node:crypto';
import { METADATA, metastreamOf, SCAVENGES } from './event.ts';
import type { Log } from './log.ts';
import { systemEvent } from './operations.ts';

/** A real server's $all is never empty: it begins with metadata of system streams, and every start adds its epoch. */
export const writeSystemEvents = (log: Log) => {
  if (log.all.length === 0)
    for (const stream of ['$stats-0.0.0.0:2113', SCAVENGES])
      log.write(metastreamOf(stream), [systemEvent(METADATA, '{"$maxAge":2592000}')]);
  const epoch = { EpochNumber: log.stream('$epoch-information')?.events.length ?? 0, EpochId: randomUUID() };
  log.write('$epoch-information', [systemEvent('$epoch-information', JSON.stringify(epoch))]);
};
