import { Flag, Json, List, Nested, Num, Text, Time, Word } from '#door/fields';
import type { ProjectionReport } from '#read-models';

const POSITION = '00000000000000000812.00000000000000004711';

export class ProjectionFailureBody {
  @Text('Why', 'new row violates check constraint')
  reason!: string;

  @Time('When it stopped', '2026-01-01T00:00:00.000Z')
  at!: string;

  @Json.orNull('The event: stream, revision, id, type, position')
  event!: object | null;
}

export class ProjectionBody {
  @Text('What it is called', 'deposits')
  name!: string;

  @Num('Of the way its rows are made', 1)
  version!: number;

  @Text.orNull('Of the rows that readers see', POSITION)
  position!: string | null;

  @Text.orNull('Of the last event of the log', POSITION)
  head!: string | null;

  @Num('Events still to be taken; counted up to 10 000', 0)
  lag_events!: number;

  @Num('Age of the oldest of them', 0)
  lag_ms!: number;

  @Word(['live', 'rebuilding'], 'rebuilding: readers see the old rows until the new ones are complete', 'live')
  state!: string;

  @Num.orNull('0 to 1 while it is rebuilt', null)
  progress!: number | null;

  @Flag('It stands before an event that it cannot take', false)
  stopped!: boolean;

  @Nested.orNull(ProjectionFailureBody, 'What stopped it or ended its last rebuild')
  failure!: ProjectionFailureBody | null;
}

export class ProjectionsBody {
  @List(ProjectionBody, 'All of them')
  projections!: ProjectionBody[];
}

export class RebuildBody {
  @Text('What it is called', 'deposits')
  name!: string;

  @Word(['rebuilding'], 'It has begun', 'rebuilding')
  state!: 'rebuilding';
}

export const bodyOf = ({ lagEvents, lagMs, failure, ...same }: ProjectionReport): ProjectionBody => ({
  ...same,
  lag_events: lagEvents,
  lag_ms: lagMs,
  failure: failure && { reason: failure.reason, at: failure.at, event: failure.event ?? null },
});
