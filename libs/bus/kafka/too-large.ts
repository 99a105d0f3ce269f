const TOO_LARGE: readonly unknown[] = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'];

/** The brokers are set to take less than the bus: kafkajs wraps what they say. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && (TOO_LARGE.includes(Reflect.get(error, 'type')) || isTooLarge(error.cause));
