import { afterAll, beforeAll, describe } from '@jest/globals';
import * as clauses from './clauses/index.ts';
import { openMarket, type Running, type Service, serviceAt } from './harness/index.ts';

const patience = 180_000;

type Subjects = Readonly<Record<string, (service: Service) => void>>;

/** Every clause against one service, which is started once for all of them. */
export const bindClauses = (name: string, start: () => Promise<Running>, subjects: Subjects = clauses): void => {
  describe(name, () => {
    let running: Running | undefined;
    const service: Service = serviceAt(() => {
      if (!running) throw new Error('the service is not running');
      return running;
    });
    beforeAll(async () => {
      running = await start();
      await openMarket(service);
    }, patience);
    afterAll(async () => running?.stop(), patience);
    for (const [subject, define] of Object.entries(subjects)) describe(subject, () => define(service));
  });
};
