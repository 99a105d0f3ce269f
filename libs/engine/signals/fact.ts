import type { EngineSignal, SignalType } from '#deposits';

type Common = 'signalId' | 'at' | 'now' | 'currentRate' | 'behindAnother';
/** What a signal says, without when and under which id. Spread over the union, so that each type keeps its own fields. */
export type Fact<Type extends SignalType = SignalType> = Type extends SignalType
  ? Omit<Extract<EngineSignal, { type: Type }>, Common>
  : never;
