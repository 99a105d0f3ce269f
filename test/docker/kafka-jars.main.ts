import { dirname } from 'node:path';
import { kafkaClassPath } from '../engines/kafka/jars.ts';

/** `node --conditions=source test/docker/kafka-jars.main.ts`: where the jars of the pinned Kafka lie. */
process.stdout.write(`${dirname(await kafkaClassPath())}\n`);
