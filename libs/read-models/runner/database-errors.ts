import pg from 'pg';

/**
 * SQLSTATEs after which the same rows may well be taken: connection, serialization and deadlock, resources, a statement
 * or session that was cancelled from outside, a server that starts, stops, fails over or has trouble with its disk.
 */
const PASSING = /^(08|40|53|57|58|25006|25P03|25P04|55P03)/;

/** Postgres has looked at the rows and will not have them: trying again changes nothing. Anything else passes. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RowMissing || (error instanceof pg.DatabaseError && !PASSING.test(error.code ?? ''));

/** A statement touched fewer rows than it named, or a key named several. */
export class RowMissing extends Error {
  override readonly name = 'RowMissing';
}
