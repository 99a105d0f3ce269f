import type { Proposed } from '../log/event.ts';
import type { streams } from './definitions.ts';
import { readUuid } from './identifiers.ts';

/** Undefined for an event that no server would take: without an id or without a type. */
export const readProposed = (
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): Proposed | undefined => {
  const metadata = message.getMetadataMap();
  const id = readUuid(message.getId());
  const type = metadata.get('type');
  if (!id || !type) return undefined;
  return {
    id,
    type,
    json: metadata.get('content-type') === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
};
