import { startKafka } from './start-kafka.ts';

/** `node --conditions=source test/engines/kafka/main.ts`: a broker for as long as this runs. */
const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
});

try {
  const kafka = await startKafka();
  process.stdout.write(`KAFKA_BROKERS=${kafka.brokers}\n`);
  const alive = setInterval(() => undefined, 60_000);
  await ended;
  clearInterval(alive);
  await kafka.stop();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
