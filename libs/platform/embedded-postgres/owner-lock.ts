import { randomBytes } from 'node:crypto';
import { closeSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { type Claim, claimName, claimsIn, look, removeClaim, type Said } from './claim.ts';
import { EmbeddedPostgresError, refuseDataDir } from './error.ts';
import { keepTouching } from './heartbeat.ts';
import { isCopied, showsLife, verdictOn } from './judgement.ts';
import { lifelineName, openLifeline, removeLooseLifelines } from './lifeline.ts';
import { markOf } from './mark.ts';
import { isSamePlace, placeOfThisProcess } from './place.ts';
import { startOfProcess } from './process-start.ts';

const attempts = 5;

const livesHere = ({ pid, start, said }: Claim): boolean =>
  startOfProcess(pid) === start && (!said || isSamePlace(said, placeOfThisProcess()));

/** The process of this namespace that has claimed this directory, if any lives. */
export const ownerOf = (dataDir: string): number | undefined =>
  claimsIn(dataDir).find((claim) => livesHere(claim) && !isCopied(dataDir, claim))?.pid;

const elsewhere = (host: string | undefined): string =>
  `of another container or machine${host === undefined ? '' : ` (${host})`}`;

const inUse = (dataDir: string, rival: Claim): EmbeddedPostgresError =>
  livesHere(rival)
    ? refuseDataDir(dataDir, `is in use by process ${rival.pid}`)
    : new EmbeddedPostgresError(
        `DATA_DIR ${dataDir} is in use by process ${rival.pid} ${elsewhere(rival.said?.host)}: ` +
          'stop that one, set another DATA_DIR, or run a command where it runs (docker exec)',
      );

type Mine = {
  readonly file: string;
  readonly path: string;
  readonly text: string;
  readonly log: (message: string) => void;
};

/** The one that lives, with those that do not taken away. Nothing is, of whom nobody can be sure yet. */
const livingRival = async (dataDir: string, { file, path, log }: Mine): Promise<Claim | undefined> => {
  const now = look(path)?.touched ?? 0;
  const rivals = claimsIn(dataDir).filter((claim) => claim.file !== file);
  const judged = rivals.map((claim) => ({ claim, verdict: verdictOn(dataDir, claim, now) }));
  const doubtful: { claim: Claim; within: number }[] = [];
  for (const { claim, verdict } of judged) {
    if (verdict === 'dead') removeClaim(dataDir, claim);
    else if (verdict !== 'lives') doubtful.push({ claim, within: verdict.within });
  }
  const living = judged.find(({ verdict }) => verdict === 'lives')?.claim;
  if (living) return living;
  const shown = doubtful.map(async ({ claim, within }) => {
    const where = elsewhere(claim.said?.host);
    log(
      `process ${claim.pid} ${where} has claimed DATA_DIR ${dataDir}: up to ${Math.ceil(within / 1000)} s are waited for a sign of it`,
    );
    if (await showsLife(dataDir, claim, within)) return claim;
    log(`process ${claim.pid} ${where} shows no sign of life: its claim on DATA_DIR ${dataDir} is taken away`);
    removeClaim(dataDir, claim);
    return undefined;
  });
  return (await Promise.all(shown)).find((claim) => claim !== undefined);
};

export type Hold = {
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
type Outcome = { readonly rival: Claim } | { readonly hold: Omit<Hold, 'lifeline'> };

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

const claimInTurn = async (dataDir: string, mine: Mine): Promise<Omit<Hold, 'lifeline'>> => {
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
    const hold = await claimInTurn(dataDir, { file, path, text, log: withoutRepeats(log) });
    removeLooseLifelines(dataDir, new Set([lifelineName(id)]));
    return {
      ...hold,
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
