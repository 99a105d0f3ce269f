import type { Claimed } from './claim.ts';
import type { Slots } from './slots.ts';

/** What is claimed and has not started, by endpoint. */
export type Waiting = {
  readonly add: (delivery: Claimed) => void;
  /** The next that may start, by turns among the endpoints; undefined when none may. */
  readonly next: () => Claimed | undefined;
  /** The next of an endpoint, when it may start. */
  readonly nextOf: (endpoint: string) => Claimed | undefined;
  /** Takes out what waits for an endpoint. */
  readonly drop: (endpoint: string) => readonly Claimed[];
  readonly dropAll: () => readonly Claimed[];
  readonly at: (endpoint: string) => number;
  readonly count: () => number;
};

export const createWaiting = ({ mayStart }: Pick<Slots, 'mayStart'>): Waiting => {
  const queues = new Map<string, Claimed[]>();
  let count = 0;

  const takeFrom = (endpoint: string, queue: Claimed[]): Claimed | undefined => {
    const first = queue.shift();
    count -= 1;
    // Behind all others, when it has more.
    queues.delete(endpoint);
    if (queue.length > 0) queues.set(endpoint, queue);
    return first;
  };
  const drop = (endpoint: string): readonly Claimed[] => {
    const queue = queues.get(endpoint) ?? [];
    queues.delete(endpoint);
    count -= queue.length;
    return queue;
  };

  return {
    add: (delivery) => {
      count += 1;
      const queue = queues.get(delivery.endpoint);
      if (queue) queue.push(delivery);
      else queues.set(delivery.endpoint, [delivery]);
    },
    next: () => {
      for (const [endpoint, queue] of queues) if (mayStart(endpoint)) return takeFrom(endpoint, queue);
      return undefined;
    },
    nextOf: (endpoint) => {
      const queue = queues.get(endpoint);
      return queue && mayStart(endpoint) ? takeFrom(endpoint, queue) : undefined;
    },
    drop,
    dropAll: () => [...queues.keys()].flatMap(drop),
    at: (endpoint) => queues.get(endpoint)?.length ?? 0,
    count: () => count,
  };
};
