import { BrokenHistory, type EventLog, outOfOrder, type Position } from '#event-log';

type Log = Pick<EventLog, 'read'>;

type Broken = { readonly problem: string; readonly revision: number | undefined };

/**
 * A link that does not fit may be a node's that answers from its past; the whole of the stream decides. No hash covers a
 * place: where one was moved before those before it, it comes too early to whoever takes all streams in order.
 */
export const brokenAt = async (log: Log, stream: string): Promise<Broken | undefined> => {
  try {
    let before: Position | undefined;
    for await (const { position, revision } of log.read(stream, { asStored: true })) {
      const problem = outOfOrder(before, position);
      if (problem !== undefined) return { problem: `revision ${revision}: ${problem}`, revision };
      before = position;
    }
    return undefined;
  } catch (error) {
    if (error instanceof BrokenHistory) return { problem: error.message, revision: error.revision };
    throw error;
  }
};

export const brokenReason = async (log: Log, stream: string): Promise<string | undefined> =>
  (await brokenAt(log, stream))?.problem;
