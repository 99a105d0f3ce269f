import { Json, List, Num, Text, Time, Word } from '#door/fields';
import type { Check } from '#read-models';

class TableDifferencesBody {
  @Text('The table', 'deposits')
  table!: string;

  @Num('Rows that only the rebuild has', 0)
  missing!: number;

  @Num('Rows that only the live table has', 0)
  extra!: number;

  @Num('Rows that differ', 1)
  changed!: number;
}

class RowDifferenceBody {
  @Text('The table', 'deposits')
  table!: string;

  @Word(['missing', 'extra', 'changed'], 'What it is among the live rows', 'changed')
  kind!: string;

  @Json('Its key, as text', { id: '1042' })
  key!: object;

  @Json('The fields that differ, as text: live and rebuilt', { usd_amount: { live: '10', rebuilt: '12' } })
  fields!: object;
}

export class DifferencesBody {
  @Num('Of the way the rebuilt rows are made', 1)
  version!: number;

  @Text.orNull('Where both stood', '00000000000000000812.00000000000000004711')
  position!: string | null;

  @Time('When they were compared', '2026-01-01T00:00:00.000Z')
  at!: string;

  @List(TableDifferencesBody, 'How many, for every table')
  tables!: TableDifferencesBody[];

  @List(RowDifferenceBody, 'The first hundred')
  rows!: RowDifferenceBody[];
}

export const differencesOf = ({ version, position, at, tables, rows }: Check): DifferencesBody => ({
  ...{ version, position, at },
  tables: [...tables],
  rows: [...rows],
});
