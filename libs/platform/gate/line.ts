export type Waiting = { readonly start: () => void };

/** Those of one party: how many are at work, and who waits, in a queue for each thing that one at a time may touch. */
export type Line = {
  underWay: number;
  waiting: number;
  readonly busy: Set<string>;
  readonly queues: Map<string, Waiting[]>;
};

export const newLine = (): Line => ({ underWay: 0, waiting: 0, busy: new Set(), queues: new Map() });

export const join = (line: Line, thing: string, one: Waiting): void => {
  const queue = line.queues.get(thing);
  if (queue) queue.push(one);
  else line.queues.set(thing, [one]);
  line.waiting += 1;
};

const take = (line: Line, thing: string, at: number): Waiting | undefined => {
  const queue = line.queues.get(thing) ?? [];
  const [taken] = queue.splice(at, 1);
  // Whoever was first goes behind the others: one thing that many want keeps nobody from the rest.
  line.queues.delete(thing);
  if (queue.length > 0) line.queues.set(thing, queue);
  if (taken) line.waiting -= 1;
  return taken;
};

/** Whoever gives up waiting. */
export const leave = (line: Line, thing: string, one: Waiting): void => {
  const at = line.queues.get(thing)?.indexOf(one) ?? -1;
  if (at >= 0) take(line, thing, at);
};

/** The next whose thing nobody has. */
export const callNext = (line: Line): Waiting | undefined => {
  for (const thing of line.queues.keys()) if (!line.busy.has(thing)) return take(line, thing, 0);
  return undefined;
};
