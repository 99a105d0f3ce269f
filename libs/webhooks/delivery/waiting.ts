import type { Claimed } from './claim.ts';
import type { Slots } from './slots.ts';

/** What is claimed and has not started, by endpoint. */
export type Waiting = {
  readonly add: (delivery: Claimed) => void;
  /** The next that may start, by turns among the affiliates and among the endpoints of each; undefined when none may. */
  readonly next: () => Claimed | undefined;
  /** The next of an endpoint, when it may start. */
  readonly nextOf: (endpoint: string) => Claimed | undefined;
  /** Takes out what waits for an endpoint. */
  readonly drop: (endpoint: string) => readonly Claimed[];
  readonly dropAll: () => readonly Claimed[];
  readonly at: (endpoint: string) => number;
  readonly count: () => number;
};

/** Of an endpoint, and in the turn of whoever owned it when the first of them came. */
type Queue = { readonly endpoint: string; readonly owner: number; readonly deliveries: Claimed[] };

export const createWaiting = ({ mayStart, loosen }: Pick<Slots, 'mayStart' | 'loosen'>): Waiting => {
  const queues = new Map<string, Queue>();
  const turns = new Map<number, Set<Queue>>();
  let count = 0;

  const enter = (queue: Queue): void => {
    queues.set(queue.endpoint, queue);
    const turn = turns.get(queue.owner) ?? new Set();
    turns.set(queue.owner, turn.add(queue));
  };
  const leave = (queue: Queue): void => {
    queues.delete(queue.endpoint);
    const turn = turns.get(queue.owner);
    turn?.delete(queue);
    // Its affiliate goes behind all others, when it has more.
    turns.delete(queue.owner);
    if (turn && turn.size > 0) turns.set(queue.owner, turn);
  };
  const takeFrom = (queue: Queue): Claimed | undefined => {
    const first = queue.deliveries.shift();
    count -= 1;
    leave(queue);
    if (queue.deliveries.length > 0) enter(queue);
    return first;
  };
  const startable = ({ deliveries: [first] }: Queue): boolean => first !== undefined && mayStart(first);
  const drop = (endpoint: string): readonly Claimed[] => {
    const queue = queues.get(endpoint);
    if (!queue) return [];
    leave(queue);
    count -= queue.deliveries.length;
    return queue.deliveries;
  };

  return {
    add: (delivery) => {
      count += 1;
      const { endpoint, owner } = delivery;
      const queue = queues.get(endpoint);
      if (queue) queue.deliveries.push(delivery);
      else enter({ endpoint, owner, deliveries: [delivery] });
    },
    next: () => {
      loosen();
      for (const turn of turns.values()) for (const queue of turn) if (startable(queue)) return takeFrom(queue);
      return undefined;
    },
    nextOf: (endpoint) => {
      const queue = queues.get(endpoint);
      return queue && startable(queue) ? takeFrom(queue) : undefined;
    },
    drop,
    dropAll: () => [...queues.keys()].flatMap(drop),
    at: (endpoint) => queues.get(endpoint)?.deliveries.length ?? 0,
    count: () => count,
  };
};
