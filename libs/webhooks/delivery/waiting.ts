import type { InHand } from './rounds.ts';
import type { Slots } from './slots.ts';

/** What is claimed and has not started, by endpoint. */
export type Waiting = {
  readonly add: (delivery: InHand) => void;
  /** The next that may start, by turns among the endpoints; undefined when none may. */
  readonly next: () => InHand | undefined;
  /** Takes out what waits for an endpoint. */
  readonly drop: (endpoint: string) => readonly InHand[];
  readonly dropAll: () => readonly InHand[];
  readonly at: (endpoint: string) => number;
  readonly isEmpty: () => boolean;
};

export const createWaiting = ({ mayStart }: Pick<Slots, 'mayStart'>): Waiting => {
  const queues = new Map<string, InHand[]>();

  const takeFrom = (endpoint: string, queue: InHand[]): InHand | undefined => {
    const first = queue.shift();
    // Behind all others, when it has more.
    queues.delete(endpoint);
    if (queue.length > 0) queues.set(endpoint, queue);
    return first;
  };
  const drop = (endpoint: string): readonly InHand[] => {
    const queue = queues.get(endpoint) ?? [];
    queues.delete(endpoint);
    return queue;
  };

  return {
    add: (delivery) => {
      const queue = queues.get(delivery.endpoint);
      if (queue) queue.push(delivery);
      else queues.set(delivery.endpoint, [delivery]);
    },
    next: () => {
      for (const [endpoint, queue] of queues) if (mayStart(endpoint)) return takeFrom(endpoint, queue);
      return undefined;
    },
    drop,
    dropAll: () => [...queues.keys()].flatMap(drop),
    at: (endpoint) => queues.get(endpoint)?.length ?? 0,
    isEmpty: () => queues.size === 0,
  };
};
