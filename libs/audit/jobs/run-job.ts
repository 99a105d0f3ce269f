import type pg from 'pg';
import { depositStream } from '#deposit-commands';
import type { EventLog } from '#event-log';
import type { Secrets } from '#platform/secrets';
import type { TabledProjection } from '#read-models';
import { keptHeads } from '../kept/kept-heads.ts';
import { sealNumbered } from '../kept/kept-seals.ts';
import { publicKeyOf } from '../kept/key.ts';
import { againstSeal } from '../seals/against-seal.ts';
import { makeSeal } from '../seals/make-seal.ts';
import type { Finding } from '../verify/finding.ts';
import type { Refused } from '../verify/refused.ts';
import { type Progress, type VerifyOptions, verify } from '../verify/verify.ts';
import { endJob, type Job, tellProgress } from './jobs.ts';
import { createPace } from './pace.ts';

export type JobParts = {
  readonly log: EventLog;
  readonly pool: pg.Pool;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly projections: readonly TabledProjection[];
  readonly refused?: Refused | undefined;
  /** Each place that a seal meets and that is not as it was written: the seal takes it as it is, and none meets it again. */
  readonly onFinding: (finding: Finding) => void;
};

const TOLD_EVERY_MS = 1_000;
const KEPT_FINDINGS = 1_000;

const timeOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const observerOf = async (
  { pool }: JobParts,
  number: number | undefined,
  only: string | undefined,
): Promise<VerifyOptions['observer']> => {
  if (number === undefined) return undefined;
  const [seal, publicKey] = [await sealNumbered(pool, number), await publicKeyOf(pool)];
  if (!seal || publicKey === undefined) throw new Error(`there is no seal ${number}`);
  return againstSeal({ seal, publicKey, heads: keptHeads(pool, number), only, db: pool });
};

/** What is seen of a job while it runs. */
const watch = ({ pool }: JobParts, job: Job) => {
  const findings: Finding[] = [];
  let count = 0;
  let [toldAt, telling] = [Number.NEGATIVE_INFINITY, Promise.resolve()];
  return {
    findings,
    count: () => count,
    onFinding: (finding: Finding): void => {
      count += 1;
      if (findings.length < KEPT_FINDINGS) findings.push(finding);
    },
    onProgress: (progress: Progress): void => {
      if (performance.now() - toldAt < TOLD_EVERY_MS) return;
      toldAt = performance.now();
      telling = telling.then(() => tellProgress(pool, job, { ...progress }, findings).catch(() => undefined));
    },
    told: () => telling,
  };
};

/** From its beginning to its end, however often it was begun before. */
export const runJob = async (parts: JobParts, job: Job, signal: AbortSignal): Promise<void> => {
  const { log, pool, secrets, projections, refused } = parts;
  const { findings, count, onFinding, onProgress, told } = watch(parts, job);
  const common = { log, pool, onFinding, onProgress, breathe: createPace(), signal };
  onProgress({ events: 0, streams: 0, rows: 0 });
  const end = async (progress: Progress, result: Omit<NonNullable<Job['result']>, 'findings'>): Promise<void> => {
    await told();
    await endJob(pool, job, 'done', { findings, progress, result: { findings: count(), ...result } });
  };
  if (job.kind === 'seal') {
    const met = (finding: Finding): void => {
      onFinding(finding);
      parts.onFinding(finding);
    };
    const seal = await makeSeal({ ...common, secrets, onFinding: met });
    if (seal) await end({ events: seal.events, streams: seal.streams, rows: 0 }, { seal });
    return;
  }
  const { from, to, deposit_id: id, seal } = job.asked;
  const only = id === undefined ? undefined : depositStream(id);
  const observer = await observerOf(parts, seal, only);
  const verified = await verify({
    ...common,
    projections,
    refused,
    from: timeOf(from),
    to: timeOf(to),
    only,
    observer,
  });
  const { events, streams, rows, behind } = verified;
  await end({ events, streams, rows }, { behind });
};
