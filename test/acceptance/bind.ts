import { afterAll, beforeAll, describe } from '@jest/globals';
import * as clauses from './clauses/index.ts';
import { bePatient, openMarket, type Running, type Service, serviceAt } from './harness/index.ts';

const startsWithinMs = 180_000;

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
      if (running.patienceMs) bePatient(running.patienceMs);
      await openMarket(service);
    }, startsWithinMs);
    afterAll(async () => running?.stop(), startsWithinMs);
    for (const [subject, define] of Object.entries(subjects)) describe(subject, () => define(service));
  });
};
