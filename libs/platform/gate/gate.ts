import { LRUCache } from 'lru-cache';
import { callNext, join, type Line, leave, newLine, type Waiting } from './line.ts';

export type GateOptions = {
  /** At work at once. */
  readonly most: number;
  /** Of those, the most that one party has. */
  readonly mostOfOne: number;
  /** Of one party: whoever comes then is refused. Default: some seconds of work. */
  readonly mostWaiting?: number;
  /** Default 10 s. */
  readonly withinMs?: number;
};

const MOST_WAITING = 1_000;
const WITHIN_MS = 10_000;
/** As many addresses as a crowd may have before one who comes for the first time waits behind all of them. */
const MOST_LATELY = 10_000;

export type Comer = {
  /** Parties take turns, however many come for each; those who had none lately take theirs with those who had. */
  readonly party: string;
  /** What it touches, within its party: one at a time does. */
  readonly thing: string;
};

/** Nothing was begun: too many wait already, or its turn did not come in time. */
export class Crowded extends Error {
  override readonly name = 'Crowded';
}

type Lines = Map<string, Line>;

export type Gate = <T>(comer: Comer, work: () => Promise<T>) => Promise<T>;

/**
 * For work that holds what all others need too, like a connection: whoever has to wait for his own kind waits here, where
 * it costs nobody else anything.
 */
export const createGate = ({
  most,
  mostOfOne,
  mostWaiting = MOST_WAITING,
  withinMs = WITHIN_MS,
}: GateOptions): Gate => {
  const first: Lines = new Map();
  const again: Lines = new Map();
  const lately = new LRUCache<string, true>({ max: MOST_LATELY });
  let before = again;
  let underWay = 0;

  const lineOf = (party: string): Line => {
    const known = first.get(party) ?? again.get(party);
    if (known) return known;
    const line = newLine();
    (lately.has(party) ? again : first).set(party, line);
    return line;
  };

  /** A line that nobody is in any more would be walked past by all who come later. */
  const letGo = (party: string, line: Line): void => {
    if (line.underWay + line.waiting > 0) return;
    for (const lines of [first, again]) if (lines.get(party) === line) lines.delete(party);
  };

  const callOneOf = (lines: Lines): Waiting | undefined => {
    for (const [party, line] of lines) {
      const one = line.underWay < mostOfOne ? callNext(line) : undefined;
      if (!one) continue;
      lines.delete(party);
      again.set(party, line);
      lately.set(party, true);
      return one;
    }
    return undefined;
  };

  const callOne = (): Waiting | undefined => {
    for (const lines of before === first ? [again, first] : [first, again]) {
      const one = callOneOf(lines);
      if (!one) continue;
      before = lines;
      return one;
    }
    return undefined;
  };

  const callAll = (): void => {
    for (let one = underWay < most ? callOne() : undefined; one; one = underWay < most ? callOne() : undefined)
      one.start();
  };

  const turn = ({ party, thing }: Comer, line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const one: Waiting = {
        start: () => {
          clearTimeout(timer);
          underWay += 1;
          line.underWay += 1;
          line.busy.add(thing);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave(line, thing, one);
        letGo(party, line);
        reject(new Crowded(`${party}: its turn did not come within ${withinMs} ms`));
      }, withinMs);
      join(line, thing, one);
      callAll();
    });

  const end = ({ party, thing }: Comer, line: Line): void => {
    underWay -= 1;
    line.underWay -= 1;
    line.busy.delete(thing);
    letGo(party, line);
    callAll();
  };

  return async (comer, work) => {
    const line = lineOf(comer.party);
    if (line.waiting >= mostWaiting) throw new Crowded(`${comer.party}: ${line.waiting} wait already`);
    await turn(comer, line);
    try {
      return await work();
    } finally {
      end(comer, line);
    }
  };
};
