import { setTimeout as delay } from 'node:timers/promises';
import { readMark } from '#counters';
import { logNow, nameRevision } from '#instances';
import type { Ground } from './ground.ts';
import { type Owner, readLabel, type Told } from './label.ts';
import { StartError } from './start-error.ts';

export type LabelParts = Pick<Ground, 'pool'> & { readonly claim: NonNullable<Ground['claim']> };

/** `namedAt`: where the log was found to have the name. */
export type OwnLabel = Told & { readonly kept: string | undefined; readonly namedAt: number | undefined };

const refusedAs = (owner: Owner, kept: string): StartError =>
  new StartError(
    `EVENTSTORE_URL names the event log of installation ${owner.installation} (since ${owner.since.toISOString()}), ` +
      `DATABASE_URL the database of installation ${kept}: one installation has one event log. Let EVENTSTORE_URL name ` +
      'the server whose log belongs to this database, or DATABASE_URL the database that belongs to that log',
  );

const refusedAsLetGo = ({ installation }: Owner, kept: string | undefined): StartError =>
  new StartError(
    `EVENTSTORE_URL names the event log that this installation let go (${installation}), by \`cointill log take-up\` ` +
      'or with another EVENT_STORE: let it name the log that this installation has, as the others have it, or is to ' +
      'have. Where it was let go by ' +
      `mistake, ${kept === undefined ? '' : 'let go what it has now with `cointill log take-up`, and '}` +
      'run `cointill log take-up --back`',
  );

/**
 * What is known of the log once it is known not to be another's. The log is asked behind the database, which knows of a
 * name only once that is there.
 */
export const ownLabel = async ({ claim, pool }: LabelParts): Promise<OwnLabel> => {
  const namedAt = await nameRevision(pool);
  const told = await readLabel(claim.label);
  const { installation: kept, letGo = [] } = (await logNow(pool)) ?? {};
  const { owner } = told;
  if (owner && letGo.includes(owner.installation)) throw refusedAsLetGo(owner, kept);
  if (owner && kept !== undefined && owner.installation !== kept) throw refusedAs(owner, kept);
  if (owner) claim.name.learn(owner.installation);
  return { ...told, kept, namedAt };
};

/** Who has counted what the log does not hold writes no name on it and takes none from it: the counting refuses him. */
export const checkNotAhead = async ({ claim: { log }, pool }: LabelParts): Promise<void> => {
  const mark = await readMark(pool);
  if (mark && !(await log.holds(mark))) throw new Error('the database is ahead of its event log');
};

/** The name stands where it stood, and the server gives it to nobody. */
export const isHidden = async ({ claim }: LabelParts, { first, namedAt }: OwnLabel): Promise<boolean> => {
  if (namedAt === undefined) return false;
  if (first !== undefined) return first > namedAt;
  return ((await claim.label.end()) ?? -1) >= namedAt;
};

/** Of a log without a name: whether it is this database's all the same. Throws where what was counted is not there. */
export const isProven = async (parts: LabelParts, own: OwnLabel): Promise<boolean> => {
  if (await isHidden(parts, own)) return true;
  await checkNotAhead(parts);
  return (await readMark(parts.pool)) !== undefined;
};

const lostIts = ({ kept }: OwnLabel): StartError =>
  new StartError(
    `the event log that EVENTSTORE_URL names has no name, and installation ${kept}, whose database DATABASE_URL names, ` +
      'has given its log one: it is another log, or one that was emptied or put back. Let EVENTSTORE_URL name the server ' +
      'whose log belongs to this database. Where the first start named a wrong one and no number was given out since, ' +
      'run `cointill log take-up`; else begin with a fresh database',
  );

/** What one server of a cluster says may be of before: only what is found so often in a row is so. */
const LOOKS = 4;
const LOOK_MS = 200;

/** The same; one that lacks the name that it was given is refused, unless something else shows that it is the same. */
export const settledLabel = async (parts: LabelParts): Promise<OwnLabel> => {
  for (let look = 1; ; look++) {
    const own = await ownLabel(parts);
    if (own.owner || own.namedAt === undefined || (await isProven(parts, own))) return own;
    if (look === LOOKS) throw lostIts(own);
    await delay(LOOK_MS);
  }
};

/** Of a log that was found to be this database's: whether it still is, or another one has come in its place. */
export const checkStillOwn = async (parts: LabelParts): Promise<void> => {
  const own = await ownLabel(parts);
  if (!own.owner && own.namedAt !== undefined && !(await isProven(parts, own))) throw lostIts(own);
  await checkNotAhead(parts);
};
