import type { BusLog } from '../../log.ts';
import type { ConsumeOptions } from '../../port.ts';
import { inStep } from './in-step.ts';
import { claim } from './offsets.ts';
import { type PartitionWorker, workOn } from './partition-worker.ts';
import type { Session } from './session.ts';

export type Shares = {
  /** Claims what is free of the wanted partitions; lets go of the others once their batch is done. */
  readonly aim: (wanted: ReadonlySet<number>) => Promise<void>;
  readonly wake: (ends: ReadonlyMap<number, bigint>) => void;
  /** Something was published: where, each sees for itself, all in one statement. */
  readonly look: () => void;
  readonly stop: () => Promise<void>;
};

/** The partitions that one session works on. */
export const createShares = (session: Session, options: ConsumeOptions, log: BusLog): Shares => {
  const steps = inStep(session, options);
  const workers = new Map<number, PartitionWorker>();
  const leaving = new Map<number, Promise<void>>();

  const release = (partition: number, worker: PartitionWorker): void => {
    workers.delete(partition);
    leaving.set(
      partition,
      worker.stop().finally(() => leaving.delete(partition)),
    );
  };

  const acquire = async (partition: number): Promise<void> => {
    const place = { group: options.group, topic: options.topic, partition };
    if (workers.has(partition) || leaving.has(partition) || !(await claim(session, place))) return;
    workers.set(partition, workOn(session, steps, place, options, log));
  };

  return {
    aim: async (wanted) => {
      for (const [partition, worker] of workers) if (!wanted.has(partition)) release(partition, worker);
      for (const partition of wanted) await acquire(partition);
    },
    wake: (ends) => {
      for (const [partition, worker] of workers) worker.wake(ends.get(partition) ?? 0n);
    },
    look: () => {
      for (const worker of workers.values()) worker.look();
    },
    stop: async () => {
      for (const [partition, worker] of workers) release(partition, worker);
      await Promise.all(leaving.values());
    },
  };
};
