/** A column of amounts as a JSON number of the same value, to the last digit; null where it is null. */
export const wireNumber = (column: string): string => `coalesce(trim_scale(${column})::text, 'null')`;

/**
 * Whether that is also how `JSON.stringify` writes its double: fifteen digits are the shortest of theirs, and none of
 * these has an exponent. Nearly every amount there is.
 */
export const isShortest = (column: string): string => `(${column} IS NULL OR ${column} = 0
  OR (${column} >= 0.000001 AND ${column} < 10000000 AND scale(${column}) <= 8))`;

/**
 * "Numbers in JSON are the shortest text that reads back as the same double, as JSON.stringify writes them." Postgres
 * itself writes doubles otherwise: sooner with exponents, and not the shortest where that lies half-way to the next.
 */
export const asStringified = (json: string, isShortestAlready: boolean): string =>
  isShortestAlready ? json : JSON.stringify(JSON.parse(json));
