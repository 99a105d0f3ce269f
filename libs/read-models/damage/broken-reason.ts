import { BrokenHistory, type EventLog, type Position } from '#event-log';

/**
 * A link that does not fit may be a node's that answers from its past; the whole of the stream decides. No hash covers a
 * place: where one was moved before those before it, it comes too early to whoever takes all streams in order.
 */
export const brokenReason = async (log: Pick<EventLog, 'read'>, stream: string): Promise<string | undefined> => {
  try {
    let before: Position | undefined;
    for await (const { position, revision } of log.read(stream, { asStored: true })) {
      if (before !== undefined && position <= before)
        return `revision ${revision}: it stands before the event before it in the order over all streams`;
      before = position;
    }
    return undefined;
  } catch (error) {
    if (error instanceof BrokenHistory) return error.message;
    throw error;
  }
};
