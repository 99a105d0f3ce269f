const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every field that is expected has the expected value; lists have to agree to the last element. */
export const matches = (actual: unknown, expected: unknown): boolean => {
  if (isRecord(expected))
    return isRecord(actual) && Object.entries(expected).every(([field, value]) => matches(actual[field], value));
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) && actual.length === expected.length && expected.every((v, i) => matches(actual[i], v))
    );
  return Object.is(actual, expected);
};

export const mustMatch = (what: string, actual: unknown, expected: unknown): void => {
  if (!matches(actual, expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected, null, 1)}, is ${JSON.stringify(actual, null, 1)}`);
};
