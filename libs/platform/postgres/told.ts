type InText<Value> = Value extends Date ? string : Value;

/** A row as whoever asks is told it: its times in ISO 8601. */
export type Told<Row> = { readonly [Name in keyof Row]: InText<Row[Name]> };

export const told = <Row extends object>(row: Row): Told<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as Told<Row>;
