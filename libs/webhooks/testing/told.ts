import { type DepositCommand, type DepositEvent, type DepositState, initialState } from '#deposits';
import { type Webhook, webhooksOf } from '../payloads/index.ts';

/** Commands that are all applied, and events, as `history` of the deposits takes them. */
export type Steps = readonly (DepositCommand | DepositEvent)[];

/** The webhooks of a whole history, as the relay would make them. */
export const webhooksOfHistory = async (
  events: readonly DepositEvent[],
  externalCode: string | null = 'aurora',
): Promise<readonly Webhook[]> => {
  let state: DepositState = initialState;
  const told: Webhook[] = [];
  for (const [revision, event] of events.entries()) {
    const fact = { id: `event-${revision}`, recordedAt: new Date('2026-03-01T12:00:00Z'), event };
    const { after, webhooks } = await webhooksOf(state, fact, async () => ({ externalCode }));
    told.push(...webhooks);
    state = after;
  }
  return told;
};

/** The names alone, in order. */
export const namesOf = (webhooks: readonly Webhook[]): readonly string[] => webhooks.map(({ event }) => event);
