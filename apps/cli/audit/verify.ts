import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Finding, Head, Progress, Proof, Seal } from '#audit';
import type { Call, Command } from '../command.ts';
import { type ExitCode, usage } from '../parts/exit.ts';
import { readSeal } from './files.ts';
import { type Proven, showVerification } from './findings.ts';
import { follow } from './job.ts';
import { publicKeyIn } from './key-file.ts';
import { isDirect } from './named.ts';
import { readProof } from './read-proof.ts';
import { verifiedSchema } from './shapes.ts';
import { openStores, type Stores } from './stores.ts';
import { timeIn } from './times.ts';

/** The thread that holds rows against history beside the one that reads it: of the sources, or as it was built. */
const ROWS = new URL(`rows.child${extname(import.meta.url)}`, import.meta.url);

/** A shorter history is proven before a second thread has come to life. */
const LONG = 100_000;

const depositIn = (call: Call): number | undefined => {
  const text = call.option('deposit');
  if (text !== undefined && !/^\d{1,15}$/.test(text)) throw usage(`--deposit ${text} is no id`);
  return text === undefined ? undefined : Number(text);
};

const keyFor = async (call: Call, { pool }: Pick<Stores, 'pool'>): Promise<string> => {
  const file = call.option('key');
  if (file !== undefined) return publicKeyIn(file);
  const key = pool && (await (await import('#audit')).publicKeyOf(pool));
  if (key === undefined) throw usage('whose seal is it? --key <file> names the public key');
  return key;
};

const observerFor = async (call: Call, stores: Stores, only: string | undefined) => {
  const file = call.option('seal');
  if (file === undefined) return undefined;
  const { againstSeal, headsOfSeal } = await import('#audit');
  const { seal, heads } = await readSeal(file);
  const publicKey = await keyFor(call, stores);
  const { pool } = stores;
  // What is kept beside the history may have been exchanged with it: it has to come to the root of the file.
  const kept = pool && (await headsOfSeal(pool, seal));
  if (only !== undefined && !heads && !kept)
    throw usage('a seal alone says nothing about one deposit: `cointill audit seals export` writes it with the heads');
  return againstSeal({ seal, publicKey, heads: heads ?? kept, only, db: pool });
};

const directly = async (call: Call): Promise<ExitCode> => {
  const [{ verify, verifyInTwo }, { projections }, { depositStream }, { openProgress }, os] = await Promise.all([
    import('#audit'),
    import('#ground'),
    import('#deposit-commands'),
    import('../parts/progress.ts'),
    import('node:os'),
  ]);
  // Whoever serves on this machine goes first.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const stores = await openStores();
  const progress = openProgress('verify', 'events');
  const findings: Finding[] = [];
  const [id, from, to] = [depositIn(call), timeIn(call, 'from'), timeIn(call, 'to')];
  const only = id === undefined ? undefined : depositStream(id);
  try {
    const asked = {
      ...{ log: stores.log, from, to, signal: call.signal, observer: await observerFor(call, stores, only) },
      onFinding: (finding: Finding) => findings.push(finding),
      onProgress: ({ events }: Progress) => progress.at(events, Math.max(events + 1, stores.estimate)),
    };
    const isLong = only === undefined && stores.estimate >= LONG && availableParallelism() > 1;
    const verified = isLong
      ? await verifyInTwo(asked, ROWS)
      : await verify({ ...asked, pool: stores.pool, projections, only });
    progress.end();
    return showVerification(call, { ...verified, findings }, id);
  } finally {
    await stores.close();
  }
};

/** What the service holds its history against is the seal that it keeps: it has to be the one in the file. */
const otherSeal = async (call: Call, seal: Seal): Promise<readonly Finding[]> => {
  const { status, body } = await call.service().answer('GET', `/operator/audit/seals/${seal.number}`);
  if (status === 200 && isDeepStrictEqual(body, seal)) return [];
  const kept = status === 200 ? 'another one' : 'none';
  return [{ by: 'seal', problem: `the file holds seal ${seal.number}, and the service keeps ${kept} of that number` }];
};

/** The service keeps the seal and its key side by side: whoever brings a key holds the seal against that one. */
const otherKey = async (call: Call, seal: Seal): Promise<readonly Finding[]> => {
  const file = call.option('key');
  if (file === undefined) return [];
  const [{ sealProblem }, key] = await Promise.all([import('#audit'), publicKeyIn(file)]);
  const problem = sealProblem(seal, key);
  return problem === undefined ? [] : [{ by: 'seal', problem: `seal ${seal.number}: ${problem}` }];
};

/** The service holds history against the heads that it keeps: those in the file have to come to the same root. */
const otherHeads = async (seal: Seal, heads: AsyncIterable<Head> | undefined): Promise<readonly Finding[]> => {
  const problem = heads && (await (await import('#audit')).headsProblem(seal, heads));
  return problem === undefined ? [] : [{ by: 'seal', problem }];
};

const overService = async (call: Call): Promise<ExitCode> => {
  const file = call.option('seal');
  const { seal, heads } = file === undefined ? {} : await readSeal(file);
  const forged = seal ? await otherKey(call, seal) : [];
  const other = seal ? await otherSeal(call, seal) : [];
  const exchanged = seal ? await otherHeads(seal, heads) : [];
  const [id, from, to] = [depositIn(call), timeIn(call, 'from'), timeIn(call, 'to')];
  // Without one that can be compared, the rest is looked at all the same.
  const body = {
    ...{ from: from?.toISOString(), to: to?.toISOString(), deposit_id: id },
    ...(other.length === 0 && { seal: seal?.number }),
  };
  const job = await follow(call, await call.service().call('POST', '/operator/audit/verify', { body }));
  const { events = 0, streams = 0, rows = 0 } = job.progress;
  const findings = [...forged, ...other, ...exchanged, ...job.findings];
  return showVerification(call, { events, streams, rows, findings, behind: job.result?.behind ?? 0 }, id);
};

/** The first of its events: the others lead from it to the seal. */
const provenBy = ({ events: [event], seal: { number, sealed_at } }: Proof): Proven | undefined =>
  event && { stream: event.stream, revision: event.revision, type: event.type, seal: number, sealed_at };

const proofAlone = async (call: Call, file: string): Promise<ExitCode> => {
  const proof = await readProof(file);
  const [{ proofProblem }, key] = await Promise.all([import('#audit'), keyFor(call, { pool: undefined })]);
  const problem = proofProblem(proof, key);
  const findings: Finding[] = problem === undefined ? [] : [{ by: 'seal', problem }];
  const proven = problem === undefined ? provenBy(proof) : undefined;
  return showVerification(call, { events: proof.events.length, streams: 1, rows: 0, findings, behind: 0, proven });
};

export const verifyCommand: Command = {
  words: 'audit verify',
  summary: 'Recompute every chain, the audit trail too, and hold every row and total against history',
  description:
    'With DATABASE_URL or EVENTSTORE_URL it looks at the stores themselves, read-only, and no service needs to run; ' +
    'else the service does it, beside its traffic. --proof needs the file and --key alone.',
  options: [
    ['--from <time>', 'only histories with an event from then on'],
    ['--to <time>', 'only histories with an event up to then'],
    ['--deposit <id>', 'only this deposit'],
    [
      '--seal <file>',
      'against a seal, too: nothing before it was changed, dropped, cut off or added; with --deposit in its history',
    ],
    ['--proof <file>', 'verify what `audit prove` wrote, and nothing else'],
    ['--key <file>', 'the public key of the seals, as PEM'],
  ],
  examples: [
    'cointill audit verify',
    'DATABASE_URL=postgresql://auditor@db/pay cointill audit verify --seal seal-3.ndjson --key key.pem',
    'cointill audit verify --proof proof.json --key key.pem',
  ],
  json: verifiedSchema,
  operations: ['verifyHistory'],
  run: async (call) => {
    const proof = call.option('proof');
    if (proof !== undefined) return proofAlone(call, proof);
    if (call.option('key') !== undefined && call.option('seal') === undefined)
      throw usage('--key is what a seal was signed with: it goes with --seal or --proof');
    const part = ['from', 'to'].find((name) => call.option(name) !== undefined);
    if (part && call.option('seal') !== undefined)
      throw usage(`a seal is over whole histories: --seal goes without --${part}`);
    return isDirect() ? directly(call) : overService(call);
  },
};
