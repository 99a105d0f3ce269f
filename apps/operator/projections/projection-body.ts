import { ApiProperty } from '@nestjs/swagger';
import type { ProjectionReport } from '#read-models';

const POSITION = '00000000000000000812.00000000000000004711';

export class ProjectionFailureBody {
  @ApiProperty({ type: String, description: 'Why', example: 'new row violates check constraint' })
  reason!: string;

  @ApiProperty({
    type: String,
    description: 'When it stopped',
    format: 'date-time',
    example: '2026-01-01T00:00:00.000Z',
  })
  at!: string;

  @ApiProperty({ type: Object, nullable: true, description: 'The event: stream, revision, id, type, position' })
  event!: object | null;
}

export class ProjectionBody {
  @ApiProperty({ type: String, example: 'deposits' })
  name!: string;

  @ApiProperty({ type: Number, description: 'Of the way its rows are made', example: 1 })
  version!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Of the rows that readers see', example: POSITION })
  position!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of the last event of the log', example: POSITION })
  head!: string | null;

  @ApiProperty({ type: Number, description: 'Events still to be taken; counted up to 10 000', example: 0 })
  lag_events!: number;

  @ApiProperty({ type: Number, description: 'Age of the oldest of them', example: 0 })
  lag_ms!: number;

  @ApiProperty({
    type: String,
    description: 'rebuilding: readers see the old rows until the new ones are complete',
    enum: ['live', 'rebuilding'],
    example: 'live',
  })
  state!: string;

  @ApiProperty({ type: Number, nullable: true, description: '0 to 1 while it is rebuilt', example: null })
  progress!: number | null;

  @ApiProperty({ type: Boolean, description: 'It stands before an event that it cannot take', example: false })
  stopped!: boolean;

  @ApiProperty({
    type: ProjectionFailureBody,
    nullable: true,
    description: 'What stopped it or ended its last rebuild',
  })
  failure!: ProjectionFailureBody | null;
}

export class ProjectionsBody {
  @ApiProperty({ type: [ProjectionBody] })
  projections!: ProjectionBody[];
}

export class RebuildBody {
  @ApiProperty({ type: String, example: 'deposits' })
  name!: string;

  @ApiProperty({ type: String, description: 'It has begun', enum: ['rebuilding'], example: 'rebuilding' })
  state!: 'rebuilding';
}

export const bodyOf = ({ lagEvents, lagMs, failure, ...rest }: ProjectionReport): ProjectionBody => ({
  name: rest.name,
  version: rest.version,
  position: rest.position,
  head: rest.head,
  lag_events: lagEvents,
  lag_ms: lagMs,
  state: rest.state,
  progress: rest.progress,
  stopped: rest.stopped,
  failure: failure && { reason: failure.reason, at: failure.at, event: failure.event ?? null },
});
