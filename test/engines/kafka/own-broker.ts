import { describeWhere, notOurs } from '../../support/jest-left-out.ts';
import { brokersGiven } from './kafka-for-tests.ts';
import { missingKafkaTool } from './tools.ts';

const missing = await missingKafkaTool();

/** Tests that stop and start a broker, which only one of our own can bear. */
export const describeWithOwnBroker = brokersGiven()
  ? describeWhere(false, notOurs('KAFKA_BROKERS'))
  : describeWhere(missing === undefined, missing ?? '');
