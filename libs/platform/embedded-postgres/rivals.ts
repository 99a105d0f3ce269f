import { type Claim, claimsIn, look, removeClaim } from './claim.ts';
import { EmbeddedPostgresError, refuseDataDir } from './error.ts';
import { isOfAnotherMark, showsLife, verdictOn } from './judgement.ts';
import { isSamePlace, placeOfThisProcess } from './place.ts';
import { startOfProcess } from './process-start.ts';
import { servers, worksIn } from './servers.ts';

export const livesHere = ({ pid, start, said }: Claim): boolean =>
  startOfProcess(pid) === start && (!said || isSamePlace(said, placeOfThisProcess()));

const elsewhere = (host: string | undefined): string =>
  `of another container or machine${host === undefined ? '' : ` (${host})`}`;

const nameOf = (claim: Claim): string =>
  `process ${claim.pid}${livesHere(claim) ? '' : ` ${elsewhere(claim.said?.host)}`}`;

export const inUse = (dataDir: string, rival: Claim): EmbeddedPostgresError => {
  const used = `is in use by ${nameOf(rival)}`;
  if (isOfAnotherMark(dataDir, rival))
    return new EmbeddedPostgresError(
      `DATA_DIR ${dataDir} ${used}, which has the same directory by another mount, or the same files by hard links: ` +
        'stop that one, set another DATA_DIR, or run a command with the DATA_DIR that it has',
    );
  if (livesHere(rival)) return refuseDataDir(dataDir, used);
  return new EmbeddedPostgresError(
    `DATA_DIR ${dataDir} ${used}: stop that one, set another DATA_DIR, or run a command where it runs (docker exec)`,
  );
};

export type Mine = {
  readonly file: string;
  readonly path: string;
  readonly text: string;
  /** Whether another way leads to the same directory: then this very claim is there too. */
  readonly isIn: (directory: string) => boolean;
  readonly log: (message: string) => void;
};

const waits = (dataDir: string, claim: Claim, within: number): string => {
  const what = isOfAnotherMark(dataDir, claim)
    ? `what DATA_DIR ${dataDir} is a copy of, or another mount`
    : `DATA_DIR ${dataDir}`;
  return `${nameOf(claim)} has claimed ${what}: up to ${Math.ceil(within / 1000)} s are waited for a sign of it`;
};

/** The one that lives, with those that do not taken away. Nothing is, of whom nobody can be sure yet. */
export const livingRival = async (dataDir: string, { file, path, isIn, log }: Mine): Promise<Claim | undefined> => {
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
    const name = nameOf(claim);
    if (isOfAnotherMark(dataDir, claim) && servers().some((server) => worksIn(server, isIn))) return claim;
    log(waits(dataDir, claim, within));
    if (await showsLife(dataDir, claim, within)) return claim;
    log(`${name} shows no sign of life: its claim on DATA_DIR ${dataDir} is taken away`);
    removeClaim(dataDir, claim);
    return undefined;
  });
  return (await Promise.all(shown)).find((claim) => claim !== undefined);
};
