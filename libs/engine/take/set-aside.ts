import { setAsideStream, signalSetAsideOf } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { transactionSetAsideStream } from '#legacy-commands';
import type { Recorded } from '../registry/record-outcomes.ts';
import type { Subject } from '../signals/target.ts';

const streamBeside = (subject: Subject): string =>
  'depositId' in subject ? setAsideStream(subject.depositId) : transactionSetAsideStream(subject.transactionId);

/**
 * What an instance that died came to with signals of one that changed nothing: it stands in the log before the next
 * signal is looked at. Handled anew, after later ones, they might change something.
 */
export const setAsideBefore = async (
  log: Pick<EventLog, 'read'>,
  subject: Subject,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Recorded>> => {
  const found = new Map<string, Recorded>();
  if (ids.size === 0) return found;
  for await (const recorded of log.read(streamBeside(subject))) {
    const { signalId, outcome, reason } = signalSetAsideOf(recorded).data;
    if (ids.has(signalId)) found.set(signalId, { signalId, outcome, detail: reason });
  }
  return found;
};
