import type { BusMessage } from '#bus';
import { depositEventOf } from '#deposit-commands';
import type { RecordedEvent } from '#event-log';
import { webhooksOf } from '../payloads/index.ts';
import type { Histories } from './histories.ts';
import { messageOf } from './message.ts';

/** The messages that a batch of the log comes to, in its order. */
export const messagesOf = async (
  events: readonly RecordedEvent[],
  histories: Histories,
  externalCodeOf: (entityId: number) => Promise<string | null>,
): Promise<readonly BusMessage[]> => {
  const messages: BusMessage[] = [];
  for (const recorded of events) {
    const { id, recordedAt, revision, stream } = recorded;
    const before = await histories.before(stream, revision);
    const fact = { id, recordedAt, event: depositEventOf(recorded) };
    const { after, webhooks } = await webhooksOf(before, fact, externalCodeOf);
    histories.remember(stream, revision, after);
    messages.push(...webhooks.map(messageOf));
  }
  return messages;
};
