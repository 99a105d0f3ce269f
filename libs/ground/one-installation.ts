import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LabelWritten } from '#event-log';
import {
  isSameEngine,
  keepInstallation,
  keepNameRevision,
  keptEngine,
  keptInstallation,
  type Played,
} from '#instances';
import { growingPause } from '#platform/pause';
import { answersSoon, askOn } from './ask-on.ts';
import { type Elsewhere, heldUntil, isElsewhere, type MaybeElsewhere } from './held-until.ts';
import { changed, named, type Owner } from './label.ts';
import { checkNotAhead, isHidden, type OwnLabel, ownLabel, settledLabel } from './own-label.ts';
import { asSettings, leftOut } from './settle-engine.ts';
import { StartError } from './start-error.ts';
import { takeUp, unknownSince } from './take-up.ts';

const refuseEngine = (owner: Owner, here: Played, advice: string): StartError =>
  new StartError(
    `the event log that EVENTSTORE_URL names has ${asSettings(owner)}, this instance ${asSettings(here)}: ${advice}`,
  );

/**
 * Where the database knows the log and was started before, it is what is so, and a log that says otherwise missed a change
 * or knows of one that the database has lost: then only what is named counts. Else the log alone knows what its payments are.
 */
const checkEngine = async (
  { configuration, pool }: Elsewhere,
  owner: Owner,
  kept: string | undefined,
): Promise<void> => {
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

/** Releases of before gave it no name: then nothing says that its payments are not real. */
const checkUnnamed = async (parts: Elsewhere): Promise<void> => {
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
const join = async (parts: Elsewhere): Promise<void> => {
  const { owner, kept } = await settledLabel(parts);
  if (!owner) return checkUnnamed(parts);
  await checkEngine(parts, owner, kept);
  if (kept === undefined) await takeUp(parts, owner);
};

/** In the database first: a start that died in between finds there by which name the log is to be called. */
const installationOf = async (parts: Elsewhere, played: Played): Promise<string> => {
  const made = randomUUID();
  const since = await unknownSince(parts);
  if (since) await takeUp(parts, { installation: made, since, ...played }, 'always');
  else await keepInstallation(parts.pool, made);
  return (await keptInstallation(parts.pool)) ?? made;
};

const hasLost = async (parts: Elsewhere, own: OwnLabel): Promise<boolean> =>
  own.namedAt !== undefined && !(await isHidden(parts, own));

const tellLost = ({ logger }: Elsewhere, { kept }: OwnLabel): void => {
  logger.error(
    { alert: 'log_named_again', installation: kept },
    'the event log had lost the name of its installation and has it again: it was put back to before it was given one',
  );
};

/** `after`: where the log was last said to end, which may be further than can be read. */
const writeName = async (parts: Elsewhere, own: OwnLabel, played: Played, after: number | undefined) => {
  await checkNotAhead(parts);
  const installation = await installationOf(parts, played);
  const isLost = await hasLost(parts, own);
  const written = await parts.claim.label.write(after, named(installation, played));
  if (written.isWritten && written.end !== undefined) await keepNameRevision(parts.pool, installation, written.end);
  if (written.isWritten) parts.claim.name.learn(installation);
  // What one server of a cluster says may be of before: whoever is refused has not found it lost.
  if (written.isWritten && isLost) tellLost(parts, own);
  return written;
};

/** Once the database has the engine: the log is brought up to it. */
const write = async (parts: Elsewhere, behind: number | undefined): Promise<LabelWritten> => {
  const { claim, configuration, pool } = parts;
  const own = await ownLabel(parts);
  const { owner, last, kept } = own;
  if (owner && kept === undefined) return { isWritten: false, end: behind };
  const { engine, demo } = (await keptEngine(pool)) ?? configuration;
  const played = { engine, demo };
  const after = behind === undefined ? last : Math.max(behind, last ?? behind);
  if (!owner) return writeName(parts, own, played, after);
  await keepNameRevision(pool, owner.installation, owner.at);
  return isSameEngine(owner, played) ? { isWritten: true, end: last } : claim.label.write(after, changed(played));
};

/** More than begin together: each of them writes on the log once. */
const ROUNDS = 5;

const pauseAfter = growingPause({ firstMs: 25 });

/** Again where somebody else wrote on it meanwhile. */
const bringUp = async (parts: Elsewhere): Promise<void> => {
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

/**
 * The log names the installation that it is of, since what plays in a history that is another's cannot be taken back: it
 * may lie on a server that a second service names by mistake. `holdEngine` keeps what the installation plays. A log that
 * does not answer is asked on in the background, and is read by nobody and sent nothing until it has said whose it is.
 */
export const holdToInstallation = async (parts: MaybeElsewhere, holdEngine: () => Promise<void>): Promise<void> => {
  if (!isElsewhere(parts)) return holdEngine();
  const settled = heldUntil(parts, () => bringUp(parts));
  const answers = await answersSoon(join(parts));
  await holdEngine();
  if (!answers || !(await answersSoon(settled()))) askOn(parts, settled);
};
