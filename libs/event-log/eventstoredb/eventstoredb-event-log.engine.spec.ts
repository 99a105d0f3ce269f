import { realServer, restartCommand, startEventStoreServer } from '../../../test/support/eventstore-server.ts';
import { notOurs } from '../../../test/support/jest-left-out.ts';
import { describeEventLog } from '../contract/index.ts';
import { openEventStoreDbEventLog } from './index.ts';

describeEventLog(
  realServer ? 'EventStoreDB at EVENTSTORE_URL' : "EventStoreDB's stand-in",
  async () => {
    const { url, shakyUrl, ...server } = await startEventStoreServer();
    return {
      ...server,
      open: async ({ shaky = false, ...options } = {}) =>
        openEventStoreDbEventLog({ url: shaky ? shakyUrl : url, ...options }),
    };
  },
  { crashLeftOut: realServer && !restartCommand ? notOurs('EVENTSTORE_URL') : undefined },
);
