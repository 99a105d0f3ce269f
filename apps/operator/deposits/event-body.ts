import { Int, Json, List, Text, Time } from '#door/fields';
import type { JsonObject, RecordedEvent } from '#event-log';

export class EventBody {
  @Int('Counts from 0 in the stream', 0)
  revision!: number;

  @Text('Its place in the order of all events', '00000000000000000812.00000000000000000031')
  position!: string;

  @Text('What kind of event', 'QuoteIssued')
  type!: string;

  @Time('When the fact was, as the signal or the command says', '2026-01-01T00:00:00.000Z')
  occurred_at!: string;

  @Text.orNull('Who did it', 'api key 17')
  actor!: string | null;

  @Json('What happened; amounts are decimal text')
  data!: JsonObject;

  @Text(
    'Of this event and, through prev_hash, of all before it',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  )
  hash!: string;

  @Text.orNull('null on the first', null)
  prev_hash!: string | null;
}

export class EventsBody {
  @List(EventBody, 'In order')
  events!: EventBody[];
}

export const eventBody = ({ revision, position, type, data, metadata }: RecordedEvent): EventBody => ({
  revision,
  position,
  type,
  occurred_at: metadata.occurredAt,
  actor: metadata.actor ?? null,
  data,
  hash: metadata.hash,
  prev_hash: metadata.prevHash,
});
