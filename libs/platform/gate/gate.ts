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

export type Comer = {
  /** Parties take turns, however many come for each. */
  readonly party: string;
  /** What it touches, within its party: one at a time does. */
  readonly thing: string;
};

/** Nothing was begun: too many wait already, or its turn did not come in time. */
export class Crowded extends Error {
  override readonly name = 'Crowded';
}

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
  const lines = new Map<string, Line>();
  let underWay = 0;

  const lineOf = (party: string): Line => {
    const line = lines.get(party) ?? newLine();
    lines.set(party, line);
    return line;
  };

  /** A line that nobody is in any more would be walked past by all who come later. */
  const letGo = (party: string, line: Line): void => {
    if (line.underWay + line.waiting === 0 && lines.get(party) === line) lines.delete(party);
  };

  const callOne = (): Waiting | undefined => {
    for (const [party, line] of lines) {
      const next = line.underWay < mostOfOne ? callNext(line) : undefined;
      if (!next) continue;
      lines.delete(party);
      lines.set(party, line);
      return next;
    }
    return undefined;
  };

  const callAll = (): void => {
    for (let next = underWay < most ? callOne() : undefined; next; next = underWay < most ? callOne() : undefined)
      next.start();
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
