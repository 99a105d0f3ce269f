import { endsWithin, keepTrying } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import type { Ground } from './ground.ts';
import { StartError } from './start-error.ts';

export type AskParts = Pick<Ground, 'logger' | 'onAnotherLog'> & {
  readonly lifecycle: Pick<Ground['lifecycle'], 'onStop'>;
};

/** So long a start waits for a log that does not answer. */
const FIRST_LOOK_MS = 3_000;

/** False where the log did not answer in time, or not at all. */
export const answersSoon = async (work: Promise<void>): Promise<boolean> => {
  try {
    return await endsWithin(work, FIRST_LOOK_MS);
  } catch (error) {
    if (error instanceof StartError) throw error;
    return false;
  }
};

/** A log that is away comes back, or is told of by others. */
const TOLD_AFTER_MS = 60_000;

/** Until it has answered; whoever is refused then ends. */
export const askOn = (
  { lifecycle, logger, onAnotherLog }: AskParts,
  work: () => Promise<void>,
  toldAfterMs = TOLD_AFTER_MS,
): void => {
  const stopping = new AbortController();
  const since = performance.now();
  let isTold = false;
  const leave = (refused: StartError): void => {
    logger.fatal({ alert: 'another_log' }, refused.message);
    onAnotherLog(refused.message);
  };
  const onTrouble = (error: unknown): void => {
    logger.debug({ err: error }, 'the event log cannot be asked yet whose it is');
    if (isTold || performance.now() - since < toldAfterMs) return;
    isTold = true;
    const held = 'the event log has not said yet whose it is: until then it is sent nothing, and nothing of it is read';
    logger.warn({ reason: reasonOf(error) }, held);
  };
  const trying = keepTrying({ firstMs: 250, mostMs: 1_000, signal: stopping.signal, onTrouble }, () =>
    work().catch((error: unknown) => {
      if (!(error instanceof StartError)) throw error;
      leave(error);
    }),
  );
  lifecycle.onStop('stop-consumers', 'the question whose the log is', async () => {
    stopping.abort();
    await trying;
  });
};
