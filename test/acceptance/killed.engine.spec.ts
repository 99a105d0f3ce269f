import { describe, expect, it, jest } from '@jest/globals';
import { brokersGiven, missingKafkaTool } from '../engines/kafka/index.ts';
import { killAtRandom, openStage } from '../scattered/index.ts';
import { describeWhere } from '../support/jest-left-out.ts';
import { bindClauses } from './bind.ts';
import type { Running } from './harness/index.ts';

const missing = brokersGiven() ? undefined : await missingKafkaTool();

/** The partitions of a killed notifier belong to nobody for ten seconds, and its attempts to nobody for a minute. */
const PATIENCE_MS = 90_000;

jest.setTimeout(2 * PATIENCE_MS);

let kills = 0;

const start = async (): Promise<Running> => {
  const stage = await openStage();
  const killing = killAtRandom(stage, { longestLifeMs: 200, longestPauseMs: 4_000 });
  return {
    ...stage,
    changesReachAllWithinMs: 1_000,
    patienceMs: PATIENCE_MS,
    spareSenders: () => killing.leaveAlone('notifier'),
    stop: async () => {
      await killing.stop().finally(stage.stop);
      kills = killing.count();
    },
  };
};

describeWhere(missing === undefined, missing ?? '')('with a broker', () => {
  bindClauses('every app as two processes of its own, which are killed all the while', start);

  describe('meanwhile', () => {
    it('many were killed', () => expect(kills).toBeGreaterThan(30));
  });
});
