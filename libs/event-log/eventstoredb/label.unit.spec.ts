import { expect, it } from '@jest/globals';
import { LogUnavailable, OutcomeUnknown } from '../errors.ts';
import { openEventStoreDbEventLog } from './open.ts';

it('Whoever waits for the word of a log that does not answer has none as soon as nobody waits any longer', async () => {
  const log = openEventStoreDbEventLog({ url: 'esdb://127.0.0.1:1?tls=false', patienceMs: 3_600_000 });
  try {
    const read = log.label.read((known) => known, undefined);
    const written = log.label.write(undefined, { type: 'Named', data: {} });
    const [isRead, isWritten] = [
      expect(read).rejects.toThrow(LogUnavailable),
      expect(written).rejects.toThrow(OutcomeUnknown),
    ];
    log.label.leave();
    await Promise.all([isRead, isWritten]);
    await expect(log.label.end()).rejects.toThrow(OutcomeUnknown);
  } finally {
    await log.close();
  }
});
