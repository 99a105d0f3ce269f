export { MAX_APPEND_BYTES } from './append-request.ts';
export { createEventLog, type EventLogOptions } from './create-event-log.ts';
export {
  AppendTooLarge,
  BrokenHistory,
  InvalidAppend,
  LogUnavailable,
  OutcomeUnknown,
  UnknownSchemaVersion,
  WrongExpectedRevision,
} from './errors.ts';
export { verifyChain } from './hash-chain.ts';
export type { Json, JsonObject } from './json.ts';
export type {
  Appended,
  Batch,
  EventFilter,
  EventLog,
  EventMetadata,
  EventPlace,
  ExpectedRevision,
  NewEvent,
  ReadAllOptions,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from './port.ts';
export { type Position, parsePosition } from './position.ts';
export { secondsBehind } from './seconds-behind.ts';
export type { KnownEvents, Upcaster } from './upcasting.ts';
