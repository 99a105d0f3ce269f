import { LogUnavailable } from '#event-log';
import { ShownError } from '#platform/errors';
import { connectionFailure } from '#platform/postgres';

/** A store that does not answer, as against a mistake that would come back however often it is tried. */
export const isOutage = (error: unknown): boolean =>
  error instanceof LogUnavailable ||
  (error instanceof ShownError && error.status === 503) ||
  connectionFailure(error) !== undefined;
