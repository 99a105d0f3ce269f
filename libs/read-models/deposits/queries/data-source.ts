import pg from 'pg';
import { DataSource } from 'typeorm';
import { HeardPool } from '#platform/postgres';
import { depositRows, totalRows } from '../rows/entities.ts';

export type ReadSourceOptions = {
  readonly url: string;
  /** Most connections at once; default 10. */
  readonly connections?: number;
};

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** The server cancels first. */
const ANSWER_TIMEOUT_MS = 12_000;

/** Connections of its own, which can be those of a replica. */
export const openReadSource = ({ url, connections = 10 }: ReadSourceOptions): Promise<DataSource> =>
  new DataSource({
    type: 'postgres',
    // It would look for one by itself, and find another than ours.
    driver: { ...pg, Pool: HeardPool },
    url,
    entities: [depositRows, totalRows],
    synchronize: false,
    logging: false,
    installExtensions: false,
    applicationName: 'cointill deposit reads',
    poolSize: connections,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // An idle connection that breaks must not end the process; the next query makes a new one.
    poolErrorHandler: () => undefined,
    extra: {
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      settings: { statement_timeout: `${STATEMENT_TIMEOUT_MS}` },
    },
  }).initialize();
