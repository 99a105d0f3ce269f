import { randomBytes } from 'node:crypto';
import { closeSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { type Claim, claimName, claimsIn, holds, look, type Said } from './claim.ts';
import { keepTouching } from './heartbeat.ts';
import { isOfAnotherMark } from './judgement.ts';
import { lifelineName, openLifeline, removeLooseLifelines } from './lifeline.ts';
import { markOf } from './mark.ts';
import { placeOfThisProcess } from './place.ts';
import { startOfProcess } from './process-start.ts';
import { inUse, livesHere, livingRival, type Mine } from './rivals.ts';

const attempts = 5;

/** The process of this namespace that has claimed this directory, if any lives: of another mark a start has to find out. */
export const ownerOf = (dataDir: string): number | undefined =>
  claimsIn(dataDir).find((claim) => livesHere(claim) && !isOfAnotherMark(dataDir, claim))?.pid;

export type Hold = Pick<Mine, 'isIn'> & {
  /** For whoever must not outlive the claim: as long as one has it open, nobody takes the directory. */
  readonly lifeline: number | undefined;
  /** Resolves when somebody has taken the claim away; never, when it is released. */
  readonly lost: Promise<void>;
  readonly isLost: () => boolean;
  readonly release: () => void;
};

/** Undefined when a claim of that name is there; else what tells whether it is still there. */
const write = ({ path, text }: Mine): (() => boolean) | undefined => {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return () => look(path)?.text === text;
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'EEXIST') return undefined;
    // On a full disk there is the file, with nothing in it: it would pass for an older release's.
    rmSync(path, { force: true });
    throw error;
  }
};

/** Undefined when the claim was taken away, or there was one of that name that is not any more. */
type Outcome = { readonly rival: Claim } | { readonly hold: Omit<Hold, 'lifeline' | 'isIn'> };

const claimOnce = async (dataDir: string, mine: Mine): Promise<Outcome | undefined> => {
  const isMine = write(mine);
  if (!isMine) {
    // By chance another namespace's: there the same number may have come at the same time.
    const rival = await livingRival(dataDir, { ...mine, file: '' });
    return rival && { rival };
  }
  const lost = Promise.withResolvers<void>();
  const stopTouching = keepTouching(mine.path, mine.text, lost.resolve);
  const release = (): void => {
    stopTouching();
    if (isMine()) rmSync(mine.path, { force: true });
  };
  try {
    const rival = await livingRival(dataDir, mine);
    if (!rival && isMine()) return { hold: { lost: lost.promise, isLost: () => !isMine(), release } };
    release();
    return rival && { rival };
  } catch (error) {
    release();
    throw error;
  }
};

/** Each once: a start tries several times. */
const withoutRepeats = (log: (message: string) => void): ((message: string) => void) => {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) log(message);
    told.add(message);
  };
};

const claimInTurn = async (dataDir: string, mine: Mine): Promise<Omit<Hold, 'lifeline' | 'isIn'>> => {
  for (let attempt = 1; ; attempt++) {
    const outcome = await claimOnce(dataDir, mine);
    if (outcome && 'hold' in outcome) return outcome.hold;
    if (outcome && attempt >= attempts) throw inUse(dataDir, outcome.rival);
    await delay(20 + Math.random() * 60);
  }
};

/**
 * One owner per data directory. Every starter first writes a claim that bears its pid and start time in its name, and
 * its place within, and only then looks for others, so of two at once at least one sees the other; who sees a living
 * one withdraws. A claim of the dead counts for nothing, even when its pid was given away again; of whom it cannot be
 * said, nothing is touched before it has had the time to show that it lives.
 */
export const claimDataDir = async (
  dataDir: string,
  log: (message: string) => void = () => undefined,
): Promise<Hold> => {
  const file = claimName(process.pid, startOfProcess(process.pid) ?? 'unknown');
  const id = randomBytes(6).toString('hex');
  const line = join(dataDir, lifelineName(id));
  const lifeline = openLifeline(line);
  let open = lifeline !== undefined;
  const letGo = (): void => {
    rmSync(line, { force: true });
    if (open && lifeline !== undefined) closeSync(lifeline);
    open = false;
  };
  const directory = markOf(dataDir);
  const said: Said = { id, host: hostname(), lifeline: lifeline !== undefined, directory, ...placeOfThisProcess() };
  try {
    const [path, text] = [join(dataDir, file), JSON.stringify(said)];
    const isIn = holds(file, text);
    const hold = await claimInTurn(dataDir, { file, path, text, isIn, log: withoutRepeats(log) });
    removeLooseLifelines(dataDir, new Set([lifelineName(id)]));
    return {
      ...hold,
      isIn,
      lifeline,
      release: () => {
        hold.release();
        letGo();
      },
    };
  } catch (error) {
    letGo();
    throw error;
  }
};
