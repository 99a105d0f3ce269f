import { on } from 'node:events';
import { type MessagePort, workerData } from 'node:worker_threads';
import { type KnownEvents, type Position, type ProvenEvent, type ProvenText, provenAgain } from '#event-log';
import type { Finding } from './finding.ts';
import type { RowsParts } from './rows.ts';
import { type Progress, type Verified, type VerifyOptions, verify } from './verify.ts';

/** What the thread is begun with. */
export type RowsAsked = Pick<VerifyOptions, 'from' | 'to'> & { readonly upTo: Position | undefined };

/** Nothing: there are no more pages. */
export type RowsGiven = readonly ProvenText[] | undefined;

/** Nothing: another page was looked through, or the end was come to. */
export type RowsTold =
  | { readonly finding: Finding }
  | { readonly progress: Progress }
  | { readonly verified: Verified }
  | undefined;

type Parts = Pick<VerifyOptions, 'log' | 'projections'> & {
  readonly pool: RowsParts['pool'];
  readonly known: KnownEvents;
};

async function* pagesFrom(port: MessagePort, known: KnownEvents): AsyncGenerator<readonly ProvenEvent[]> {
  const again = provenAgain(known);
  for await (const [page] of on(port, 'message') as AsyncIterable<[RowsGiven]>) {
    if (page === undefined) return;
    yield page.map(again);
  }
}

/** A verification whose pages were read and proven by the thread at the other end of the port. */
export const holdRows = async (port: MessagePort, { log, known, ...parts }: Parts): Promise<void> => {
  const { upTo, from, to }: RowsAsked = workerData;
  const tell = (told: RowsTold): void => port.postMessage(told);
  const pages = pagesFrom(port, known);
  const verified = await verify({
    ...{ ...parts, from, to },
    log: {
      readAll: log.readAll,
      readByStream: (asked) => (asked?.only === undefined ? pages : log.readByStream(asked)),
      head: async () => upTo,
    },
    observer: () => ({ page: async () => tell(undefined), end: async () => tell(undefined) }),
    onFinding: (finding) => tell({ finding }),
    onProgress: (progress) => tell({ progress }),
  });
  tell({ verified });
};
