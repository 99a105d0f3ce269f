import { Flag, Json, List, Nested, Num, SentText, SentWord, Text, Time, Word } from '#door/fields';
import { type ProjectionReport, type RebuildMode, rebuildModes } from '#read-models';

const POSITION = '00000000000000000812.00000000000000004711';

export class ProjectionFailureBody {
  @Text('Why', 'new row violates check constraint')
  reason!: string;

  @Time('When it stopped', '2026-01-01T00:00:00.000Z')
  at!: string;

  @Json.orNull('The event: stream, revision, id, type, position')
  event!: object | null;
}

export class RebuildStateBody {
  @Word([...rebuildModes, 'cancel'], 'What becomes of the new rows', 'switch')
  mode!: string;

  @Flag('Complete and compared: it waits for `switch` or for its end', false)
  held!: boolean;

  @Time('When it was asked for', '2026-01-01T00:00:00.000Z')
  requested_at!: string;

  @Num('Events that it has taken', 120_000)
  events!: number;

  @Num('To be taken in all; grows with the log', 300_000)
  total!: number;
}

export class OwnerBody {
  @Text.orNull('Of its machine, as the database sees it; null on the machine of the database', '10.0.0.7')
  address!: string | null;

  @Time('When it connected', '2026-01-01T00:00:00.000Z')
  since!: string;
}

class DamagedStreamBody {
  @Text('Of which nothing more is taken', 'deposit-1042')
  stream!: string;

  @Num('The first that is in no row', 3)
  revision!: number;

  @Text('How it is not as it was written', 'revision 3: its content was changed after it was written')
  problem!: string;

  @Time('When it was found', '2026-01-01T00:00:00.000Z')
  found_at!: string;

  @Flag('By the rebuild under way, for its own rows', false)
  rebuild!: boolean;
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

  @Nested.orNull(RebuildStateBody, 'The rebuild under way', null)
  rebuild!: RebuildStateBody | null;

  @Nested.orNull(OwnerBody, 'Who writes its rows')
  owner!: OwnerBody | null;

  @Flag('It stands before an event that it cannot take', false)
  stopped!: boolean;

  @Nested.orNull(ProjectionFailureBody, 'What stopped it or ended its last rebuild')
  failure!: ProjectionFailureBody | null;

  @Num('Streams that are not as they were written; all others go on', 0)
  damaged_streams!: number;

  @List(DamagedStreamBody, 'The first hundred of them; one that is whole again is taken up by itself')
  damage!: DamagedStreamBody[];
}

export class ProjectionsBody {
  @List(ProjectionBody, 'All of them')
  projections!: ProjectionBody[];
}

export class NewRebuildBody {
  @SentWord.byDefault(
    'switch',
    rebuildModes,
    'switch: the new rows take the place of the old; check: they are compared with them and dropped; hold: they are ' +
      'compared and wait for `switch`',
  )
  mode?: RebuildMode;
}

export class SkipBody {
  @SentText('Of the event that it stands before', '7b0f4c1e-8f7e-4c39-9d3f-2f1f6a0d8c11', { min: 1, max: 100 })
  event_id!: string;

  @SentText('Recorded in the audit trail', 'a test event of a partner, agreed with finance', { min: 3, max: 2_000 })
  reason!: string;
}

export class RebuildBody {
  @Text('What it is called', 'deposits')
  name!: string;

  @Word(['rebuilding', 'switching', 'cancelling', 'running'], 'What was asked for has begun', 'rebuilding')
  state!: string;
}

const rebuildOf = ({ requestedAt, ...same }: NonNullable<ProjectionReport['rebuild']>): RebuildStateBody => ({
  ...same,
  requested_at: requestedAt,
});

export const bodyOf = ({
  lagEvents,
  lagMs,
  failure,
  damage,
  damagedStreams,
  rebuild,
  ...same
}: ProjectionReport): ProjectionBody => ({
  ...same,
  lag_events: lagEvents,
  lag_ms: lagMs,
  rebuild: rebuild && rebuildOf(rebuild),
  failure: failure && { reason: failure.reason, at: failure.at, event: failure.event ?? null },
  damaged_streams: damagedStreams,
  damage: [...damage],
});
