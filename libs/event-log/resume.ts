import { LogUnavailable } from './errors.ts';
import { type Patience, pauseOrGiveUp } from './persistence.ts';

/**
 * A read that goes on behind the last item it gave when its connection dies. `open` is told that item, and how many
 * have been given. Patience starts anew with every item that comes.
 */
export async function* resuming<T>(
  what: string,
  open: (last: T | undefined, given: number) => AsyncIterable<T>,
  { withinMs, onTrouble }: Patience,
): AsyncGenerator<T> {
  const unanswered = (cause: Error): Error =>
    new LogUnavailable(`${what}: no answer from the event log for ${withinMs} ms`, { cause });
  let last: T | undefined;
  let given = 0;
  let aliveAt = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const item of open(last, given)) {
        yield item;
        last = item;
        given++;
        attempt = 0;
        aliveAt = performance.now();
      }
      return;
    } catch (error) {
      await pauseOrGiveUp({ what, error, attempt }, aliveAt + withinMs, { onTrouble }, unanswered);
    }
  }
}
