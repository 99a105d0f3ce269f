import { describe, jest } from '@jest/globals';
import type { BusUnderTest } from './bus-under-test.ts';
import { describeCutLines } from './cut-lines.ts';
import { describeFailingHandlers } from './failing-handlers.ts';
import { describeGroups } from './groups.ts';
import { describeLag } from './lag.ts';
import { describeOrdering } from './ordering.ts';
import { describePublishing } from './publishing.ts';
import { describeStopping } from './stopping.ts';
import { describeTakeOver } from './take-over.ts';
import { workshop } from './workshop.ts';

export type { BusUnderTest } from './bus-under-test.ts';
export { collect as openCollector } from './collector.ts';
export { publishUntilTold } from './cut-lines.ts';
export { eventually } from './eventually.ts';
export { allOf, firstArrivals, interleaved, keysNamed, message } from './messages.ts';

/** What a bus promises, asked of a carrier: every one passes the same. */
export const describeBus = (name: string, setUp: () => Promise<BusUnderTest>, testMs = 90_000): void => {
  jest.setTimeout(testMs);
  describe(`${name} as a bus`, () => {
    const shop = workshop(setUp, testMs);
    describePublishing(shop);
    describeOrdering(shop);
    describeGroups(shop);
    describeLag(shop);
    describeStopping(shop);
    describeFailingHandlers(shop);
    describeTakeOver(shop);
    describeCutLines(shop);
  });
};
