import type { Limits } from './limits.ts';
import { createPlaces } from './places.ts';
import { createRoom, type Room } from './room.ts';
import { type Addressed, createStandings, type Manner } from './standings.ts';
import { createTally } from './tally.ts';

/** An attempt under way. */
export type Started = {
  /** It has lasted longer than a quick answer. */
  readonly hang: () => void;
  /** Answered; undefined: it was not asked. */
  readonly free: (manner: Manner | undefined) => void;
};

/**
 * Who may have how many attempts under way. An endpoint shows by a good answer that it is worth its full number; until
 * then, and again after a failure, it has one at a time. Only for those that are quick is more claimed than can start at
 * once.
 */
export type Slots = {
  readonly room: () => Room;
  /** Claimed: from now on it counts, whether it starts at once or waits here. */
  readonly take: (delivery: Addressed) => void;
  readonly mayStart: (delivery: Addressed) => boolean;
  /** Something waits here that only lacks a place: whoever ends leaves it to another. */
  readonly isTight: () => boolean;
  /** Whoever looks through all that waits finds out anew. */
  readonly loosen: () => void;
  readonly start: (delivery: Addressed) => Started;
  /** Given back without having been started. */
  readonly untake: (delivery: Addressed) => void;
  readonly isQuick: (endpoint: string) => boolean;
  readonly inFlight: () => number;
};

export const createSlots = (limits: Omit<Limits, 'quickMs' | 'exposure'>): Slots => {
  const [taken, started, takenBy] = [createTally<string>(), createTally<string>(), createTally<number>()];
  const owners = new Map<string, number>();
  const standings = createStandings();
  const places = createPlaces(limits);
  let tight = false;

  const limitOf = ({ endpoint, owner }: Addressed): number => {
    if (standings.failed(endpoint)) return 1;
    return standings.kindOf(endpoint) === 'quick' && places.isBurdened(owner) ? 1 : limits.perEndpoint;
  };
  const add = ({ endpoint, owner }: Addressed, by: 1 | -1): void => {
    taken.add(endpoint, by);
    takenBy.add(owner, by);
  };

  return {
    room: createRoom({ limits, taken, started, takenBy, owners, standings, places, limitOf }),
    take: (delivery) => {
      owners.set(delivery.endpoint, delivery.owner);
      add(delivery, 1);
    },
    mayStart: (delivery) => {
      const { endpoint, owner } = delivery;
      if (started.at(endpoint) >= limitOf(delivery)) return false;
      const has = places.hasRoom(standings.kindOf(endpoint), owner);
      tight ||= !has;
      return has;
    },
    isTight: () => tight,
    loosen: () => {
      tight = false;
    },
    start: (delivery) => {
      const { endpoint, owner } = delivery;
      started.add(endpoint, 1);
      const place = places.take(standings.kindOf(endpoint), owner);
      let hangs = false;
      return {
        hang: () => {
          hangs = true;
          standings.hang(endpoint, 1);
          place.stick();
        },
        free: (manner) => {
          if (hangs) standings.hang(endpoint, -1);
          if (manner) standings.answered(endpoint, manner);
          place.leave();
          started.add(endpoint, -1);
          add(delivery, -1);
        },
      };
    },
    untake: (delivery) => add(delivery, -1),
    isQuick: (endpoint) => standings.kindOf(endpoint) === 'quick',
    inFlight: places.underWay,
  };
};
