import type { EngineSignal, Instant } from '#deposits';

type Told = 'signalId' | 'at' | 'now' | 'currentRate';
type FactOf<Signal extends EngineSignal> = Signal extends EngineSignal ? Omit<Signal, Told> : never;

/** What a signal says, without when and under which id. */
export type Fact = FactOf<EngineSignal>;

export type Step = {
  readonly fact: Fact;
  /** When it shall have been; default: when it is played. */
  readonly at?: Instant;
};
