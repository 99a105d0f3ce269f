/** A member of what a provider answered, which may be anything. */
export const member = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string | number, unknown>>)[name]
    : undefined;
