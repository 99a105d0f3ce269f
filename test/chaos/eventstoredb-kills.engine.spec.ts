import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { startEventStoreServer } from '../support/eventstore-server.ts';
import { describeKills } from './kills.ts';

describeKills('EventStoreDB', 'eventstoredb', async () => {
  const server = await startEventStoreServer();
  return { ...server, open: async () => openEventStoreDbEventLog({ url: server.url }) };
});
