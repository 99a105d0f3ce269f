import type { Logger } from '#platform/logging';
import { whileOwner } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { type Repeated, repeat } from '#platform/repeat';
import { databaseTime } from '../kept/kept-heads.ts';
import { lastSeal } from '../kept/kept-seals.ts';
import type { Seal } from '../kept/seal.ts';
import { makeSeal } from '../seals/make-seal.ts';
import { endJob, findJob, nextJob } from './jobs.ts';
import { createPace } from './pace.ts';
import { type JobParts, runJob } from './run-job.ts';

export type AuditorParts = JobParts & {
  readonly logger: Logger;
  /** 0: never by itself. */
  readonly sealEverySeconds: number;
};

export type Auditor = { readonly wake: () => void; readonly stop: () => Promise<void> };

type Sealed = Pick<Seal, 'number' | 'sealed_at'>;

const LOOK_EVERY_MS = 1_000;
const SEAL_LOOK_EVERY_MS = 30_000;

/** Why it would fail again is told, and the next one has its turn. */
const runNext = async (parts: AuditorParts, stopping: AbortSignal): Promise<boolean> => {
  const { pool, logger } = parts;
  const asked = await nextJob(pool);
  if (!asked) return false;
  const owner = { name: 'cointill audit jobs', pool, logger, signal: stopping };
  await whileOwner(owner, async (_, over) => {
    const job = await findJob(pool, asked.id);
    if (!job || job.state === 'done' || job.state === 'failed') return;
    try {
      await runJob(parts, job, over);
    } catch (error) {
      if (over.aborted) return;
      logger.error({ err: error, job: job.id }, `audit job ${job.id} has failed: ${reasonOf(error)}`);
      await endJob(pool, job, 'failed', { findings: [], progress: {}, result: null });
    }
  });
  return true;
};

/** One of a time that has not come was made by a wrong clock: it would keep the next from being made until then. */
const isAhead = (last: Sealed | undefined, now: Date): boolean =>
  last !== undefined && Date.parse(last.sealed_at) > now.getTime();

const sealWhenDue = async (parts: AuditorParts, stopping: AbortSignal): Promise<boolean> => {
  const { log, pool, secrets, logger, sealEverySeconds, onFinding } = parts;
  const isFresh = (last: Sealed | undefined, now: Date): boolean =>
    last !== undefined && !isAhead(last, now) && Date.parse(last.sealed_at) > now.getTime() - sealEverySeconds * 1_000;
  const [last, now] = [await lastSeal(pool), await databaseTime(pool)];
  if (isFresh(last, now)) return false;
  if (last && isAhead(last, now)) {
    const { number, sealed_at } = last;
    logger.error({ alert: 'seal_ahead_of_time', seal: number, sealed_at }, `seal ${number} is of ${sealed_at}`);
  }
  const sealed = await makeSeal({ log, pool, secrets, onFinding, signal: stopping, breathe: createPace() }, isFresh);
  if (sealed) logger.info({ seal: sealed.number, root: sealed.root }, `history is sealed: seal ${sealed.number}`);
  return false;
};

/** Runs what auditors ask for, one job at a time over all instances, and seals history when it is time. */
export const startAuditor = (parts: AuditorParts): Auditor => {
  const { logger, sealEverySeconds } = parts;
  const onError = (trouble: string) => (error: unknown) => logger.warn({ err: error }, trouble);
  const running: Repeated[] = [
    repeat({
      work: (stopping) => runNext(parts, stopping),
      pollMs: LOOK_EVERY_MS,
      onError: onError('audit jobs cannot be run now'),
    }),
  ];
  if (sealEverySeconds > 0)
    running.push(
      repeat({
        work: (stopping) => sealWhenDue(parts, stopping),
        pollMs: SEAL_LOOK_EVERY_MS,
        onError: onError('history cannot be sealed now'),
      }),
    );
  return {
    wake: () => running[0]?.wake(),
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
};
