import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject, RecordedEvent } from '#event-log';

export class EventBody {
  @ApiProperty({ type: 'integer', description: 'Counts from 0 in the stream', example: 0 })
  revision!: number;

  @ApiProperty({
    type: String,
    description: 'Its place in the order of all events',
    example: '00000000000000000812.00000000000000000031',
  })
  position!: string;

  @ApiProperty({ type: String, description: 'What kind of event', example: 'QuoteIssued' })
  type!: string;

  @ApiProperty({
    type: String,
    description: 'When the fact was, as the signal or the command says',
    format: 'date-time',
    example: '2026-01-01T00:00:00.000Z',
  })
  occurred_at!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Who did it', example: 'api key 17' })
  actor!: string | null;

  @ApiProperty({ type: Object, description: 'What happened; amounts are decimal text' })
  data!: JsonObject;

  @ApiProperty({
    type: String,
    description: 'Of this event and, through prev_hash, of all before it',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  hash!: string;

  @ApiProperty({ type: String, nullable: true, description: 'null on the first', example: null })
  prev_hash!: string | null;
}

export class EventsBody {
  @ApiProperty({ type: [EventBody], description: 'In order' })
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
