import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Claim, look } from './claim.ts';
import { isHeld, lifelineName } from './lifeline.ts';
import { markOf } from './mark.ts';
import { isSameKernel, isSamePlace, type Place, placeOfThisProcess } from './place.ts';
import { startOfProcess } from './process-start.ts';

/** How often an owner touches its claim. */
export const BEAT_MS = 1_000;

/** How long a claim that nobody touches may still be of a living one. */
const PATIENCE_MS = 20_000;

/** A clock of a file system that was set may make any claim old: some beats are awaited whatever it says. */
const LEAST_MS = 5 * BEAT_MS;

/** Where the kernel says that nobody holds it, against one volume that is mounted in two ways. */
const CONFIRMED_MS = 3 * BEAT_MS;

/** An older release touches no claim, but its service writes to the log of its Postgres every second or two. */
const OLDER_MS = 30_000;

export type Verdict =
  | 'lives'
  | 'dead'
  /** Dead, unless it shows within that time that it lives. */
  | { readonly within: number };

const whereItLived = (claim: Claim): Verdict => (startOfProcess(claim.pid) === claim.start ? 'lives' : 'dead');

const byLifeline = (dataDir: string, { said }: Claim): boolean | undefined =>
  said?.lifeline ? isHeld(join(dataDir, lifelineName(said.id))) : undefined;

/** By the clock of the file system alone, which also says when this process wrote its own claim. */
const byAge = (dataDir: string, claim: Claim, now: number): Verdict => {
  const seen = look(join(dataDir, claim.file));
  if (!seen) return 'dead';
  return { within: Math.min(PATIENCE_MS, Math.max(LEAST_MS, PATIENCE_MS - (now - seen.touched))) };
};

/**
 * Made under another mark than the directory has here: it was copied with it, or this is another mount of the same one.
 * Another kernel may number files otherwise.
 */
export const isOfAnotherMark = (dataDir: string, { said }: Claim, here: Place = placeOfThisProcess()): boolean =>
  said?.directory !== undefined && isSameKernel(said, here) && said.directory !== markOf(dataDir);

const DOUBTFUL: Verdict = { within: CONFIRMED_MS };

/** A copy's claim is touched by nobody. A lifeline says something only while it is held: each mount has one of its own. */
const ofAnotherMark = (dataDir: string, claim: Claim, isHere: boolean): Verdict => {
  if (byLifeline(dataDir, claim)) return 'lives';
  return isHere && whereItLived(claim) === 'dead' ? 'dead' : DOUBTFUL;
};

/**
 * What can be said at once of a claim. Only in the place where its owner lives does the number of a process say
 * anything; from another namespace the kernel tells by the lifeline; of another kernel nothing but time does.
 */
export const verdictOn = (dataDir: string, claim: Claim, now: number, here: Place = placeOfThisProcess()): Verdict => {
  if (!claim.said) return whereItLived(claim) === 'lives' ? 'lives' : { within: OLDER_MS };
  const isHere = isSamePlace(claim.said, here);
  if (isOfAnotherMark(dataDir, claim, here)) return ofAnotherMark(dataDir, claim, isHere);
  if (isHere) return whereItLived(claim);
  const held = isSameKernel(claim.said, here) ? byLifeline(dataDir, claim) : undefined;
  if (held === undefined) return byAge(dataDir, claim, now);
  return held ? 'lives' : DOUBTFUL;
};

/** What goes while it is being looked at was the older one. */
const orNothing = <T>(read: () => T, nothing: T): T => {
  try {
    return read();
  } catch {
    return nothing;
  }
};

/** The claims are left out: this process touches its own. */
const newestFile = (directory: string): number =>
  orNothing(() => readdirSync(directory, { withFileTypes: true }), []).reduce((newest, entry) => {
    if (entry.name.startsWith('owner.')) return newest;
    const path = join(directory, entry.name);
    const touched = entry.isDirectory() ? newestFile(path) : orNothing(() => lstatSync(path).mtimeMs, 0);
    return Math.max(newest, touched);
  }, 0);

const signOf = (dataDir: string, { file, said }: Claim): string | undefined => {
  const seen = look(join(dataDir, file));
  return seen && `${seen.touched} ${seen.text} ${said ? '' : newestFile(dataDir)}`;
};

/** Whether the owner shows within that time that it lives. */
export const showsLife = async (dataDir: string, claim: Claim, within: number): Promise<boolean> => {
  const before = signOf(dataDir, claim);
  for (const end = performance.now() + within; performance.now() < end; await delay(BEAT_MS / 4)) {
    const sign = signOf(dataDir, claim);
    if (sign === undefined) return false;
    if (sign !== before) return true;
  }
  return false;
};
