import pg from 'pg';

type Sending = { readonly sendCopyFromChunk: (chunk: Buffer) => void; readonly endCopyFrom: () => void };
type Answered = (error: Error | null, result: pg.QueryResult) => void;

/** The client's own query, but for its answer when the server asks for the rows. */
class CopyIn extends pg.Query {
  readonly #rows: string;

  constructor(text: string, rows: string, answered: Answered) {
    super(text, answered as unknown as () => void);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: Sending): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows));
    connection.endCopyFrom();
  }
}

/** `COPY … FROM STDIN` of rows in its text format, all or none; how many there were. */
export const copyIn = (client: Pick<pg.Client, 'query'>, text: string, rows: string): Promise<number> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(text, rows, (error, result) => (error ? reject(error) : resolve(Number(result.rowCount)))));
  });
