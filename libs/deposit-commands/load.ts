import {
  type Deposit,
  type DepositEvent,
  type DepositState,
  evolve,
  type Instant,
  initialState,
  type SignalSetAside,
} from '#deposits';
import type { EventLog, RecordedEvent } from '#event-log';
import { depositStream } from './streams.ts';

export type LoadedDeposit = {
  readonly state: DepositState;
  /** What the next append expects. */
  readonly revision: number | 'no_stream';
  /** When the last event was recorded; null before the first. */
  readonly updatedAt: Instant | null;
};

/** What was written into a deposit's stream is what the core made: the log gives it back as it was. */
export const depositEventOf = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): DepositEvent =>
  ({ type, data }) as unknown as DepositEvent;

export const signalSetAsideOf = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): SignalSetAside =>
  ({ type, data }) as unknown as SignalSetAside;

/** Folds one deposit's history. */
export const loadDeposit = async (log: Pick<EventLog, 'read'>, depositId: number): Promise<LoadedDeposit> => {
  let loaded: LoadedDeposit = { state: initialState, revision: 'no_stream', updatedAt: null };
  for await (const event of log.read(depositStream(depositId)))
    loaded = {
      state: evolve(loaded.state, depositEventOf(event)),
      revision: event.revision,
      updatedAt: event.recordedAt.toISOString(),
    };
  return loaded;
};

/** What was just written need not be read back. */
export const depositAfter = (state: DepositState, events: readonly DepositEvent[]): Deposit => {
  const after = events.reduce(evolve, state);
  if (after.stage === 'none') throw new Error('events were written that begin with no quote');
  return after;
};
