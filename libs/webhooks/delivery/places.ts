import type { Limits } from './limits.ts';
import type { Kind } from './standings.ts';
import { createTally, type Tally } from './tally.ts';

/** How many more one may have that has `here`, so that it has no more than it leaves free, or what everybody has. */
export const moreOf = ({ here, free, least }: { here: number; free: number; least: number }): number =>
  Math.max(0, least - here, Math.floor((free - here) / 2));

/**
 * The places of attempts under way, of each kind of endpoints by themselves. In each an affiliate has as many as it
 * leaves free, so that whoever comes next finds some: one alone has half, the next half of the rest. An attempt that lasts
 * longer than a quick answer leaves its place to others: it is stuck, and counts for its own affiliate alone, among what
 * that has of doubtful ones. So what hangs keeps from its place nobody else, and its own affiliate for a moment only.
 */
export type Places = {
  readonly hasRoom: (kind: Kind, owner: number) => boolean;
  /** So much of what its affiliate has hangs at endpoints that looked good that the others have to show how they answer. */
  readonly isBurdened: (owner: number) => boolean;
  /** What counts for the affiliate among those of the kind. */
  readonly held: (kind: Kind, owner: number) => number;
  readonly free: (kind: Kind) => number;
  readonly underWay: () => number;
  /** Takes a place; ends by what is returned. */
  readonly take: (kind: Kind, owner: number) => { readonly stick: () => void; readonly leave: () => void };
};

/** Times the total: what hangs at one affiliate's endpoints costs no more connections. */
const MOST_OF_ALL = 2;

export const createPlaces = ({
  total,
  perEndpoint,
  doubtfulShare,
}: Pick<Limits, 'total' | 'perEndpoint' | 'doubtfulShare'>): Places => {
  const doubtful = Math.floor(total * doubtfulShare);
  const most: Readonly<Record<Kind, number>> = { quick: total, fresh: doubtful, doubtful };
  const taken: Readonly<Record<Kind, Tally<number>>> = {
    quick: createTally(),
    fresh: createTally(),
    doubtful: createTally(),
  };
  const [stuck, all] = [createTally<number>(), createTally<number>()];

  const free = (kind: Kind): number => most[kind] - taken[kind].sum();
  const held = (kind: Kind, owner: number): number =>
    taken[kind].at(owner) + (kind === 'doubtful' ? stuck.at(owner) : 0);

  return {
    hasRoom: (kind, owner) =>
      held(kind, owner) < Math.max(perEndpoint, free(kind)) && all.at(owner) < MOST_OF_ALL * total,
    isBurdened: (owner) => stuck.at(owner) >= doubtful / 2,
    held,
    free,
    underWay: all.sum,
    take: (kind, owner) => {
      let place: Tally<number> = taken[kind];
      place.add(owner, 1);
      all.add(owner, 1);
      return {
        stick: () => {
          // A doubtful one keeps its place: nothing better was expected of it.
          if (kind === 'doubtful') return;
          place.add(owner, -1);
          place = stuck;
          place.add(owner, 1);
        },
        leave: () => {
          place.add(owner, -1);
          all.add(owner, -1);
        },
      };
    },
  };
};
