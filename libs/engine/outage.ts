import { LogUnavailable } from '#event-log';
import { connectionFailure } from '#platform/postgres';

/** A store that does not answer, as against a mistake that would come back however often it is tried. */
export const isOutage = (error: unknown): boolean =>
  error instanceof LogUnavailable || connectionFailure(error) !== undefined;
