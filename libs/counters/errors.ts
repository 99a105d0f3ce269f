import type { Mark } from './mark.ts';

/** Another log than this database belongs to, an emptied one, or one that was put back: nothing can be right. */
export class DatabaseAhead extends Error {
  override readonly name = 'DatabaseAhead';
  readonly mark: Mark;

  constructor(mark: Mark, found: string) {
    const { stream, revision, id, position } = mark;
    super(
      `the database is ahead of its event log: it has counted event ${id} (stream ${stream}, revision ${revision}, ` +
        `position ${position}), and of the log it can be said that ${found}. Either EVENTSTORE_URL or DATABASE_URL names ` +
        'the wrong server, or the log was put back or emptied: start with the log that belongs to this database. `cointill audit ahead` shows by how much it is ahead',
    );
    this.mark = mark;
  }
}
