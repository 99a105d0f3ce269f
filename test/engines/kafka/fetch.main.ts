import { kafkaClassPath } from './jars.ts';
import { brokersGiven } from './kafka-for-tests.ts';

/** `node --conditions=source test/engines/kafka/fetch.main.ts`: what a broker needs, so that no test waits for it. */
try {
  if (!brokersGiven()) await kafkaClassPath();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
