import { BusError, type BusMessage } from '#bus';

export type Publishing = {
  readonly publish: (messages: readonly BusMessage[]) => Promise<void>;
  /** What no carrier takes, now or later. */
  readonly past: (message: BusMessage) => Promise<void>;
};

const isRefused = (error: unknown): boolean => error instanceof BusError && error.code === 'refused';

/** In order; which of them no carrier takes is found by halving, so that all others go their way. */
export const publishOrPass = async (publishing: Publishing, messages: readonly BusMessage[]): Promise<void> => {
  const [first] = messages;
  if (!first) return;
  try {
    await publishing.publish(messages);
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (messages.length === 1) return publishing.past(first);
    const half = Math.ceil(messages.length / 2);
    await publishOrPass(publishing, messages.slice(0, half));
    await publishOrPass(publishing, messages.slice(half));
  }
};
