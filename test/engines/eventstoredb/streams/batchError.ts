import type { Message } from 'google-protobuf';
import type { Expected } from '../log/event.ts';
import { any, codes, empty, shared, statuses } from '../wire/definitions.ts';
import { writeStreamName } from '../wire/identifiers.ts';
import { NOT_READY } from '../wire/refusals.ts';
import type { Outcome } from './write.ts';

type Refused = Exclude<Outcome, { kind: 'written' | 'repeated' | 'answer lost' }> | { readonly kind: 'invalid' };

const versions = (expected: Expected, actual: number) => {
  const message = new shared.WrongExpectedVersion();
  if (actual >= 0) message.setCurrentStreamRevision(String(actual));
  else message.setCurrentNoStream(new empty.Empty());
  if (expected === 'any') return message.setExpectedAny(new empty.Empty());
  if (expected === 'no_stream') return message.setExpectedNoStream(new empty.Empty());
  if (expected === 'stream_exists') return message.setExpectedStreamExists(new empty.Empty());
  return message.setExpectedStreamPosition(String(expected));
};

const status = (kind: codes.Code, message: string, type: string, details: Message) => {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), type);
  return new statuses.Status().setCode(kind).setMessage(message).setDetails(packed);
};

/** On this path a refusal is part of an answer: the client tells them by the type of the details. */
export const batchError = (refused: Refused, stream: string): statuses.Status => {
  const { Code } = codes;
  // biome-ignore lint/nursery/useExhaustiveSwitchCases: TypeScript sees what Exclude leaves, this rule does not
  switch (refused.kind) {
    case 'conflict':
      return status(
        Code.FAILED_PRECONDITION,
        'Wrong expected version',
        'event_store.client.WrongExpectedVersion',
        versions(refused.expected, refused.actual),
      );
    case 'deleted':
      return status(
        Code.FAILED_PRECONDITION,
        'Stream deleted',
        'event_store.client.StreamDeleted',
        new shared.StreamDeleted().setStreamIdentifier(writeStreamName(stream)),
      );
    case 'commit timeout':
      return status(Code.ABORTED, 'Commit phase timeout', 'event_store.client.Timeout', new shared.Timeout());
    case 'invalid':
      return status(Code.UNKNOWN, 'Bad request', 'event_store.client.Unknown', new shared.Unknown());
    /** The client knows no such details: "Could not recognize Server Is Not Ready". */
    case 'not ready':
      return status(Code.UNAVAILABLE, NOT_READY, 'google.protobuf.Empty', new empty.Empty());
  }
};
