import { pause } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import { claimLost } from '../../errors.ts';
import type { BusLog } from '../../log.ts';
import { type ConsumeOptions, type Delivered, pauseAfterFailure } from '../../port.ts';
import type { InStep } from './in-step.ts';
import { letGo, type Place, readCommitted } from './offsets.ts';
import type { Session } from './session.ts';

export type PartitionWorker = {
  /** There are messages up to there. */
  readonly wake: (end: bigint) => void;
  /** There may be messages: it looks. */
  readonly look: () => void;
  /** Finishes and commits the batch under way, then lets the partition go. */
  readonly stop: () => Promise<void>;
};

/** Works through a claimed partition, batch by batch. Never rejects: a lost session ends it quietly. */
export const workOn = (
  session: Session,
  { read, commit }: InStep,
  place: Place,
  options: ConsumeOptions,
  log: BusLog,
): PartitionWorker => {
  const stopping = new AbortController();
  const over = AbortSignal.any([stopping.signal, session.ended]);
  const { group, topic, partition } = place;
  let end = 0n;
  let looking = false;
  let failures = 0;
  let onWake = (): void => undefined;

  over.addEventListener('abort', () => onWake());
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      onWake = resolve;
    });

  const alive = async (): Promise<void> => {
    if (session.ended.aborted) throw claimLost(group, topic, partition);
    await session.query('SELECT', []).catch((error) => {
      throw claimLost(group, topic, partition, error);
    });
  };

  const handle = async (messages: readonly Delivered[]): Promise<boolean> => {
    try {
      await options.onBatch(messages, alive);
      failures = 0;
      return true;
    } catch (error) {
      const from = messages[0]?.offset;
      log.warn(`Group "${group}" failed on ${topic}/${partition} from ${from} on, it comes again: ${reasonOf(error)}`);
      await pause(pauseAfterFailure(failures++), over);
      return false;
    }
  };

  const step = async (next: bigint): Promise<bigint> => {
    if (next >= end && !looking) {
      await woken();
      return next;
    }
    looking = false;
    // Noted before the read: what is published meanwhile lies behind it, and must not be taken for removed.
    const known = end;
    const messages = await read({ partition, from: next });
    const last = messages.at(-1);
    if (!last) return known > next ? known : next;
    // More may lie behind it, or it comes again.
    looking = true;
    if (!(await handle(messages))) return next;
    const following = BigInt(last.offset) + 1n;
    await commit({ partition, next: following });
    return following;
  };

  const run = async (): Promise<void> => {
    try {
      let next = await readCommitted(session, place);
      while (!over.aborted) next = await step(next);
      if (!session.ended.aborted) await letGo(session, place);
    } catch (error) {
      log.warn(`Group "${group}" gave up ${topic}/${partition} for now: ${reasonOf(error)}`);
      await session.end();
    }
  };

  const done = run();
  return {
    wake: (known) => {
      end = known;
      onWake();
    },
    look: () => {
      looking = true;
      onWake();
    },
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
};
