import { LogUnavailable } from '#event-log';
import { codeOf, connectionFailure } from '#platform/postgres';

/**
 * What Postgres says while it is stopped, switched over, full or too busy: lost connections (08), nothing left (53), an
 * operator at work (57), a disk that fails (58), a standby (25006), a lost race (40001, 40P01), a lock (55P03).
 */
const PASSING = /^(08|53|57|58)|^(25006|40001|40P01|55P03)$/;

/** A store that does not answer, as against a mistake that would come back however often it is tried. */
export const isOutage = (error: unknown): boolean =>
  error instanceof LogUnavailable || connectionFailure(error) !== undefined || PASSING.test(codeOf(error) ?? '');
