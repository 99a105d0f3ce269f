import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** How large a process is tells when its garbage was last collected rather than what it keeps. */
process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, heapTotal, external, rss } = process.memoryUsage();
  process.stderr.write(`kept ${heapUsed + external}\n`);
  // Texts that are being written to connections are here, and nowhere else.
  process.stderr.write(`beside ${rss - heapTotal}\n`);
});
