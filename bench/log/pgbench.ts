import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { METADATA } from './bare-pg.ts';
import { type Contestant, data, type Kind, type Round } from './contestant.ts';

const run = promisify(execFile);

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The same INSERT; a client of pgbench counts in a variable, which is the stream's number or its revision. */
const script = (kind: Kind, { writers, round }: Round): string => {
  const [stream, revision] =
    kind === 'new stream'
      ? [`'pgbench-new-${writers}-${round}-' || :client_id || '-' || :n`, '0']
      : [`'pgbench-old-${writers}-${round}-' || :client_id`, ':n'];
  return `
\\set n :n + 1
INSERT INTO events (stream, revision, id, type, data, metadata)
SELECT ${stream}, ${revision}, gen_random_uuid(), 'PaymentSeen', ${text(JSON.stringify(data))}, ${text(METADATA)}
WHERE ${revision} = 0 OR EXISTS (SELECT FROM events WHERE stream = ${stream} AND revision = ${revision} - 1)
RETURNING xid, position;
`;
};

const isThere = (): Promise<boolean> =>
  run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );

/** Undefined where the machine has no pgbench: it does not come from npm. */
export const pgbench = async (connectionString: string): Promise<Contestant | undefined> => {
  if (!(await isThere())) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'cointill-bench-'));
  return {
    name: 'pgbench',
    run: async (round) => {
      const file = join(directory, 'append.sql');
      await writeFile(file, script(round.kind, round));
      // It connects on the clock, and leaves that out of its figure only if something is left of the time.
      const seconds = 2 + Math.ceil(round.ms / 1_000);
      const clients = ['-c', String(round.writers), '-j', '1', '-T', String(seconds)];
      const { stdout } = await run('pgbench', [
        ...clients,
        '-n',
        '-M',
        'prepared',
        '-D',
        'n=-1',
        '-f',
        file,
        connectionString,
      ]);
      const tps = /tps = ([\d.]+) \(without initial/.exec(stdout)?.[1];
      if (tps === undefined) throw new Error(`pgbench said something else than expected: ${stdout}`);
      return Number(tps);
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
};
