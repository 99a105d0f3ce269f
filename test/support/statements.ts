import pg from 'pg';

/** What is asked of Postgres by this process while `work` runs, however many pools it has. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const asked: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...given: [pg.QueryConfig | string]) {
    const [what] = given;
    asked.push(typeof what === 'string' ? what : (what.name ?? what.text));
    return Reflect.apply(query, this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return asked;
};
