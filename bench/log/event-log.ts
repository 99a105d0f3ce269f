import { randomUUID } from 'node:crypto';
import { openPostgresEventLog } from '#event-log/postgres';
import { type Contestant, data, drive, OLD_LENGTH, prepareOld, streamOf } from './contestant.ts';

const event = () => ({
  id: randomUUID(),
  type: 'PaymentSeen',
  data,
  metadata: { occurredAt: new Date().toISOString(), actor: 'engine', correlationId: randomUUID() },
});

export const eventLog = async (databaseUrl: string, connections: number): Promise<Contestant> => {
  const log = await openPostgresEventLog({ databaseUrl, connections });
  return {
    name: 'event log',
    run: async (round) => {
      await prepareOld(round, (writer) =>
        log.append(streamOf('log', round, writer, 0), 'no_stream', Array.from({ length: OLD_LENGTH }, event)),
      );
      return drive(round, (writer, n) =>
        log.append(streamOf('log', round, writer, n), round.kind === 'new stream' ? 'no_stream' : OLD_LENGTH - 1 + n, [
          event(),
        ]),
      );
    },
    close: log.close,
  };
};
