import { Int, Json, List, Nested, Text, Time } from '#door/fields';
import { PageBody } from '#door/lists';
import type { JsonObject, RecordedEvent } from '#event-log';

export class EventBody {
  @Int('Counts from 0 in the stream', 0)
  revision!: number;

  @Text('Its place in the order of all events', '00000000000000000812.00000000000000000031')
  position!: string;

  @Text('Of the event, made at random', '5f0a7e5e-3b1c-4a52-9d0e-6f1d2c3b4a59', { format: 'uuid' })
  id!: string;

  @Text('What kind of event', 'QuoteIssued')
  type!: string;

  @Int('In which shape `data` is', 1)
  schema_version!: number;

  @Time('When the fact was, as the signal or the command says', '2026-01-01T00:00:00.000Z')
  occurred_at!: string;

  @Time('When the log took it: from then on every read shows it', '2026-01-01T00:00:00.012Z')
  recorded_at!: string;

  @Text.orNull('Who did it', 'api key 17')
  actor!: string | null;

  @Text.orNull('What it belongs to, with others', null)
  correlation!: string | null;

  @Text.orNull('What brought it about', null)
  causation!: string | null;

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

export class DamageBody {
  @Int('The first that is not what was shown of it', 4)
  revision!: number;

  @Text('What is wrong', 'stream deposit-1021: it ends before revision 4, and was seen up to 6')
  problem!: string;
}

export class EventsBody extends PageBody {
  @Text('The name under which the log keeps this history; part of every hash', 'deposit-1021')
  stream!: string;

  @List(EventBody, 'In order')
  events!: EventBody[];

  @Nested.optional(DamageBody, 'Where this is not the history that was shown before, what there is of it is shown')
  damage?: DamageBody;
}

export const eventBody = ({
  revision,
  position,
  id,
  type,
  schemaVersion,
  recordedAt,
  data,
  metadata,
}: RecordedEvent): EventBody => ({
  ...{ revision, position, id, type },
  schema_version: schemaVersion,
  occurred_at: metadata.occurredAt,
  recorded_at: recordedAt.toISOString(),
  actor: metadata.actor ?? null,
  correlation: metadata.correlationId ?? null,
  causation: metadata.causationId ?? null,
  data,
  hash: metadata.hash,
  prev_hash: metadata.prevHash,
});
