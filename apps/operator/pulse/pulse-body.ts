import { List, Text, Time } from '#door/fields';

export class PulseBody {
  @Time("The service's clock", '2026-01-01T00:00:00.000Z')
  at!: string;

  @Text.orNull(
    'Of the last event of the log: as long as it is the same, nothing has happened',
    '00000000000000000812.00000000000000004711',
  )
  head!: string | null;

  @List(String, 'Read models that stand before an event that they cannot take, or whose rebuild has failed', [])
  stopped!: readonly string[];
}
