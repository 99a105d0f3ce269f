import { Worker } from 'node:worker_threads';
import type { Finding } from './finding.ts';
import type { RowsAsked, RowsGiven, RowsTold } from './hold-rows.ts';
import type { Verified, VerifyOptions } from './verify.ts';

/** Then the other thread runs from the sources, too. */
const IS_SOURCE = import.meta.url.endsWith('.ts');

/** So many pages may be on their way between the two. */
const AHEAD = 8;

/** Nearly all that it makes is gone after a page: the more room there is for what is new, the less is ever copied. */
const YOUNG_MB = 192;

type Heard = Pick<VerifyOptions, 'onFinding' | 'onProgress' | 'signal'>;

/** The thread whose file calls `holdRows`. It is over with what it told last, or with whatever stopped it. */
const openRows = (file: URL, asked: RowsAsked, { onFinding, onProgress, signal }: Heard) => {
  const worker = new Worker(file, {
    workerData: asked,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    ...(IS_SOURCE && { execArgv: ['--conditions=source'] }),
  });
  const { promise: verified, resolve, reject } = Promise.withResolvers<Verified>();
  /** What others found in each page, which is told when the thread has told what it found there. */
  const onTheirWay: (readonly Finding[])[] = [];
  let moved = Promise.withResolvers<void>();

  const hear = (told: RowsTold): void => {
    if (told === undefined) {
      for (const finding of onTheirWay.shift() ?? []) onFinding(finding);
      moved.resolve();
      moved = Promise.withResolvers();
    } else if ('finding' in told) onFinding(told.finding);
    else if ('progress' in told) onProgress?.(told.progress);
    else resolve(told.verified);
  };
  worker.on('message', hear).once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the thread that holds rows against history has ended (${code})`)));
  // It is heard by whoever waits for it next.
  verified.catch(() => undefined);
  const end = (): Promise<number> => worker.terminate();
  signal?.addEventListener('abort', end, { once: true });

  return {
    give: async (page: RowsGiven, found: readonly Finding[]): Promise<void> => {
      while (onTheirWay.length >= AHEAD) await Promise.race([moved.promise, verified]);
      onTheirWay.push(found);
      worker.postMessage(page);
    },
    verified,
    end,
  };
};

export type VerifyInTwoOptions = Pick<
  VerifyOptions,
  'log' | 'from' | 'to' | 'observer' | 'onFinding' | 'onProgress' | 'signal'
>;

/**
 * The same as `verify`, by two threads: this one reads and proves, and lets whoever observes see it; the other, of that
 * file, folds what was read and holds rows and totals against it.
 */
export const verifyInTwo = async (options: VerifyInTwoOptions, file: URL): Promise<Verified> => {
  const { log, from, to, signal } = options;
  const upTo = await log.head();
  const rows = openRows(file, { from, to, upTo }, options);
  let [observed, count]: [Finding[], number] = [[], 0];
  const observer = options.observer?.((finding) => observed.push(finding));
  const taken = (): readonly Finding[] => {
    const found = observed;
    [observed, count] = [[], count + found.length];
    return found;
  };
  const give = (page: RowsGiven): Promise<void> => rows.give(page, taken());
  try {
    taken().forEach(options.onFinding);
    for await (const page of upTo === undefined ? [] : log.readByStream({ upTo })) {
      signal?.throwIfAborted();
      await observer?.page(page);
      await give(page.map((event) => event.asText()));
    }
    await observer?.end();
    await give(undefined);
    const verified = await rows.verified;
    return { ...verified, findings: verified.findings + count };
  } finally {
    await rows.end();
  }
};
