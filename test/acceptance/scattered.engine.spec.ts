import { brokersGiven, missingKafkaTool } from '../engines/kafka/index.ts';
import { openStage } from '../scattered/index.ts';
import { describeWhere } from '../support/jest-left-out.ts';
import { bindClauses } from './bind.ts';
import type { Running } from './harness/index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

const start = async (): Promise<Running> => ({ ...(await openStage()), changesReachAllWithinMs: 1_000 });

describeWhere(missing === undefined, missing ?? '')('with a broker', () =>
  bindClauses('every app as two processes of its own', start),
);
