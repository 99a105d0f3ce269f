import type { QuoteIssued } from '../floor/events.ts';
import type { FastLaneEvent } from './events.ts';

export type Occupant = { readonly depositId: number; readonly opening: QuoteIssued };

export type FastLane = { readonly occupant: Occupant | null };

export const emptyLane: FastLane = { occupant: null };

export const evolveLane = (lane: FastLane, event: FastLaneEvent): FastLane => {
  switch (event.type) {
    case 'FastLaneEntered':
      return { occupant: { depositId: event.data.depositId, opening: event.data.opening } };
    case 'FastLaneReleased':
      return lane.occupant?.depositId === event.data.depositId ? emptyLane : lane;
  }
};
