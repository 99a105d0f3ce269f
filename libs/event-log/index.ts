export type { EventLogOptions } from './create-event-log.ts';
export {
  AnotherLog,
  AppendTooLarge,
  BrokenHistory,
  isUnbegun,
  LogReadOnly,
  LogUnavailable,
  OutcomeUnknown,
  UnknownSchemaVersion,
  WrongExpectedRevision,
} from './errors.ts';
export { verifyChain } from './hash-chain.ts';
export type { Json, JsonObject } from './json.ts';
export type { ExchangeableLog, LabelEvent, LabelWritten, LogLabel, SameLog } from './label.ts';
export { lackForGood, lackOf, type Standing } from './lack-of.ts';
export { canGoOnBehind, lacksOnlyOthers, lackToReadOn } from './lacks-others.ts';
export { tellOwnLogBack } from './own-log-back.ts';
export type {
  Appended,
  Batch,
  EventFilter,
  EventLog,
  EventMark,
  EventPlace,
  NewEvent,
  ProvenEvent,
  ProvenText,
  ReadOptions,
  RecordedEvent,
} from './port.ts';
export { type Position, parsePosition } from './position.ts';
export { outOfOrder, provenAgain } from './proven.ts';
export { secondsBehind } from './seconds-behind.ts';
export type { SeenPlace } from './seen.ts';
export { anyOf, streamsNamed } from './stream-kinds.ts';
export type { KnownEvents } from './upcasting.ts';
