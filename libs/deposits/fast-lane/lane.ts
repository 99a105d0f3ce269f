import type { QuoteIssued } from '../floor/events.ts';
import type { DepositState } from '../floor/state.ts';
import type { FastLaneEvent, FastLaneReentered } from './events.ts';

export type Occupant = { readonly depositId: number; readonly opening: QuoteIssued };

type Reentry = FastLaneReentered['data'];

/** Whoever entered last, and those that were paid after they had expired, or lost their confirmation. */
export type FastLane = { readonly occupant: Occupant | null; readonly reentered: readonly Reentry[] };

/** A deposit of the lane, as its own stream tells it. */
export type LaneDeposit = {
  readonly depositId: number;
  readonly state: DepositState;
  readonly revision: number | 'no_stream';
};

export const emptyLane: FastLane = { occupant: null, reentered: [] };

const without = (lane: FastLane, depositId: number): FastLane => ({
  occupant: lane.occupant?.depositId === depositId ? null : lane.occupant,
  reentered: lane.reentered.filter((reentry) => reentry.depositId !== depositId),
});

/** Nobody enters while another is in flight: an entry begins the lane anew, and what came before it need not be read. */
export const beginsAnew = ({ type }: FastLaneEvent): boolean => type === 'FastLaneEntered';

export const evolveLane = (lane: FastLane, event: FastLaneEvent): FastLane => {
  const { depositId } = event.data;
  switch (event.type) {
    case 'FastLaneEntered':
      return { occupant: { depositId, opening: event.data.opening }, reentered: [] };
    case 'FastLaneReentered':
      return {
        ...lane,
        reentered: [...lane.reentered.filter((reentry) => reentry.depositId !== depositId), event.data],
      };
    case 'FastLaneReleased':
      return without(lane, depositId);
  }
};

/** Every deposit that may be in flight. */
export const depositsIn = ({ occupant, reentered }: FastLane): readonly number[] => [
  ...new Set([...(occupant ? [occupant.depositId] : []), ...reentered.map(({ depositId }) => depositId)]),
];

export const reentryOf = ({ reentered }: FastLane, depositId: number): Reentry | undefined =>
  reentered.find((reentry) => reentry.depositId === depositId);
