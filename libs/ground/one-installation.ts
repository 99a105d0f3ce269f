import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readMark } from '#counters';
import { hasGivenIds } from '#deposit-commands';
import { BrokenHistory, type LabelWritten } from '#event-log';
import { isSameEngine, keepInstallation, keptEngine, keptInstallation, type Played } from '#instances';
import { recordChange } from '#partners';
import { growingPause } from '#platform/pause';
import { inTransaction } from '#platform/postgres';
import { type AskParts, answersSoon, askOn } from './ask-on.ts';
import type { Ground } from './ground.ts';
import { changed, named, type Owner, readLabel } from './label.ts';
import { asSettings, leftOut } from './settle-engine.ts';
import { StartError } from './start-error.ts';

type Claim = NonNullable<Ground['claim']>;
type Parts = AskParts & Pick<Ground, 'configuration' | 'health' | 'pool'> & { readonly claim: Claim };
type MaybeElsewhere = Omit<Parts, 'claim'> & { readonly claim: Claim | undefined };

const isElsewhere = (parts: MaybeElsewhere): parts is Parts => parts.claim !== undefined;

const refusedAs = (owner: Owner, kept: string): StartError =>
  new StartError(
    `EVENTSTORE_URL names the event log of installation ${owner.installation} (since ${owner.since.toISOString()}), ` +
      `DATABASE_URL the database of installation ${kept}: one installation has one event log. Let EVENTSTORE_URL name ` +
      'the server whose log belongs to this database, or DATABASE_URL the database that belongs to that log',
  );

/** What is known of the log once it is known not to be another's. */
const ownLabel = async ({ claim, pool }: Pick<Parts, 'claim' | 'pool'>) => {
  const { owner, last } = await readLabel(claim.label);
  const kept = await keptInstallation(pool);
  if (owner && kept !== undefined && owner.installation !== kept) throw refusedAs(owner, kept);
  return { owner, last, kept };
};

/** Who has counted what the log does not hold writes no name on it and takes none from it: the counting refuses him. */
const checkNotAhead = async ({ claim: { log }, pool }: Parts): Promise<void> => {
  const mark = await readMark(pool);
  if (mark && !(await log.holds(mark))) throw new Error('the database is ahead of its event log');
};

const refuseEngine = (owner: Owner, here: Played, advice: string): StartError =>
  new StartError(
    `the event log that EVENTSTORE_URL names has ${asSettings(owner)}, this instance ${asSettings(here)}: ${advice}`,
  );

/**
 * Where the database knows the log and was started before, it is what is so, and a log that says otherwise missed a change
 * or knows of one that the database has lost: then only what is named counts. Else the log alone knows what its payments are.
 */
const checkEngine = async ({ configuration, pool }: Parts, owner: Owner, kept: string | undefined): Promise<void> => {
  const engine = await keptEngine(pool);
  if (engine && kept !== undefined && isSameEngine(engine, owner)) return;
  if (engine && kept !== undefined) {
    const unnamed = leftOut(configuration, owner);
    if (unnamed.length === 0) return;
    throw refuseEngine(owner, configuration, `set ${unnamed.join(' and ')} by name: what is left out changes nothing`);
  }
  if (!isSameEngine(owner, configuration))
    throw refuseEngine(
      owner,
      configuration,
      'set ENGINE and DEMO as the log has them, or let EVENTSTORE_URL name a log of its own',
    );
};

const takeUp = async (parts: Parts, { installation, since, engine, demo }: Owner): Promise<void> => {
  await checkNotAhead(parts);
  const after = { since, engine, demo };
  const isTaken = await inTransaction(parts.pool, async (db) => {
    if (!(await keepInstallation(db, installation))) return false;
    const what = { subject: 'event_log', subjectId: installation, before: null, after } as const;
    await recordChange(db, { actor: 'EVENTSTORE_URL', action: 'changed', ...what });
    return true;
  });
  if (isTaken)
    parts.logger.error(
      { alert: 'log_taken_up', installation, ...after },
      'this database knew no event log and goes on with one that has had an installation since then: no other service may run on it',
    );
};

/**
 * Of a log without a name: since when it has had a history of which this database has counted nothing. Who has given numbers
 * out may not have counted yet what came of the first.
 */
const unknownSince = async ({ claim: { log }, pool }: Parts): Promise<Date | undefined> => {
  if ((await readMark(pool)) || (await hasGivenIds(pool))) return undefined;
  for await (const { recordedAt } of log.readAll({ limit: 1, asStored: true })) return recordedAt;
  return undefined;
};

/** Releases of before gave it no name: then nothing says that its payments are not real. */
const checkUnnamed = async (parts: Parts): Promise<void> => {
  if (parts.configuration.engine !== 'simulated') return;
  const since = await unknownSince(parts);
  if (since)
    throw new StartError(
      `the event log that EVENTSTORE_URL names has a history (since ${since.toISOString()}) that this database knows ` +
        'nothing of, and ENGINE=simulated would play payments into it: let EVENTSTORE_URL name a log of its own, or ' +
        'DATABASE_URL the database that belongs to that log',
    );
};

/** Before anything of the engine is kept. */
const join = async (parts: Parts): Promise<void> => {
  const { owner, kept } = await ownLabel(parts);
  if (!owner) return checkUnnamed(parts);
  await checkEngine(parts, owner, kept);
  if (kept === undefined) await takeUp(parts, owner);
};

/** In the database first: a start that died in between finds there by which name the log is to be called. */
const installationOf = async (parts: Parts, played: Played): Promise<string> => {
  const made = randomUUID();
  const since = await unknownSince(parts);
  if (since) await takeUp(parts, { installation: made, since, ...played });
  else await keepInstallation(parts.pool, made);
  return (await keptInstallation(parts.pool)) ?? made;
};

/**
 * Once the database has the engine: the log is brought up to it. `behind`: where the log was last said to end, which may be
 * further than can be read.
 */
const write = async (parts: Parts, behind: number | undefined): Promise<LabelWritten> => {
  const { claim, configuration, pool } = parts;
  const { owner, last, kept } = await ownLabel(parts);
  if (owner && kept === undefined) return { isWritten: false, end: behind };
  const { engine, demo } = (await keptEngine(pool)) ?? configuration;
  const played = { engine, demo };
  if (owner && isSameEngine(owner, played)) return { isWritten: true, end: last };
  if (!owner) await checkNotAhead(parts);
  const event = owner ? changed(played) : named(await installationOf(parts, played), played);
  return claim.label.write(behind === undefined ? last : Math.max(behind, last ?? behind), event);
};

/** More than begin together: each of them writes on the log once. */
const ROUNDS = 5;

const pauseAfter = growingPause({ firstMs: 25 });

/** Again where somebody else wrote on it meanwhile. */
const bringUp = async (parts: Parts): Promise<void> => {
  let behind: number | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    await join(parts);
    const { isWritten, end } = await write(parts, behind);
    if (isWritten) return;
    behind = end;
    await delay(pauseAfter(round));
  }
  throw new Error('the event log takes no word of whose it is: something else is written to that stream all the time');
};

/** What was deleted for good answers nothing any more, however often it is asked. */
const orBroken = async ({ health, logger }: Parts, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
    if (health.alarm(error.message))
      logger.fatal({ alert: 'broken_history', err: error }, 'the event log can no longer say whose it is');
  }
};

/**
 * The log names the installation that it is of, since what plays in a history that is another's cannot be taken back: it
 * may lie on a server that a second service names by mistake. `holdEngine` keeps what the installation plays. A log that
 * does not answer is asked on in the background, and is read by nobody and sent nothing until it has said whose it is.
 */
export const holdToInstallation = async (parts: MaybeElsewhere, holdEngine: () => Promise<void>): Promise<void> => {
  if (!isElsewhere(parts)) return holdEngine();
  const release = parts.claim.hold();
  const answers = await answersSoon(join(parts));
  await holdEngine();
  const settled = () => orBroken(parts, () => bringUp(parts)).then(release);
  if (!answers || !(await answersSoon(settled()))) askOn(parts, settled);
};

/**
 * For whoever appends nothing and was told no engine. Of a log that has a name and is taken up by nobody yet it cannot
 * tell whether a Postgres was lost or the settings are wrong.
 */
export const checkInstallation = async (parts: MaybeElsewhere): Promise<void> => {
  if (!isElsewhere(parts)) return;
  const release = parts.claim.hold();
  const check = async (): Promise<void> => {
    const { owner, kept } = await ownLabel(parts);
    if (owner && kept === undefined) throw new Error('the event log has a name, and this database none yet');
  };
  const checked = () => orBroken(parts, check).then(release);
  if (!(await answersSoon(checked()))) askOn(parts, checked);
};
