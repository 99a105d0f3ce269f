import { type Recorded, revisionText } from '../log/event.ts';
import { persistent, shared, streams } from './definitions.ts';
import { writeStreamName, writeUuid } from './identifiers.ts';

type Message = streams.ReadResp.ReadEvent.RecordedEvent | persistent.ReadResp.ReadEvent.RecordedEvent;

/** The creation time travels as .NET ticks of 100 ns since 1970. */
const ticks = (milliseconds: number) => `${milliseconds}0000`;

const fill = <M extends Message>(message: M, event: Recorded): M => {
  const position = String(event.position);
  message.setId(writeUuid(event.id));
  message.setStreamIdentifier(writeStreamName(event.stream));
  message.setStreamRevision(revisionText(event.revision));
  message.setCommitPosition(position);
  message.setPreparePosition(position);
  const metadata = message.getMetadataMap();
  metadata.set('type', event.type);
  metadata.set('created', ticks(event.created));
  metadata.set('content-type', event.json ? 'application/json' : 'application/octet-stream');
  message.setCustomMetadata(event.metadata);
  message.setData(event.data);
  return message;
};

export const eventResponse = (event: Recorded) => {
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(fill(new streams.ReadResp.ReadEvent.RecordedEvent(), event));
  read.setCommitPosition(String(event.position));
  const response = new streams.ReadResp();
  response.setEvent(read);
  return response;
};

export const groupEventResponse = (event: Recorded, retryCount: number) => {
  const read = new persistent.ReadResp.ReadEvent();
  read.setEvent(fill(new persistent.ReadResp.ReadEvent.RecordedEvent(), event));
  read.setCommitPosition(String(event.position));
  if (retryCount > 0) read.setRetryCount(retryCount);
  else read.setNoRetryCount(new shared.Empty());
  const response = new persistent.ReadResp();
  response.setEvent(read);
  return response;
};
