import { BrokenHistory, type EventLog } from '#event-log';
import type { Finding } from './finding.ts';

/** What this process refuses of history at present. */
export type Refused = () => AsyncIterable<Finding>;

const problemOf = async (log: Pick<EventLog, 'read'>, stream: string): Promise<Finding | undefined> => {
  try {
    for await (const _ of log.read(stream));
    return undefined;
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
    const { message: problem, revision } = error;
    return { by: 'chain', stream, ...(revision !== undefined && { revision }), problem };
  }
};

/**
 * A process remembers what it was shown. Where an end is cut off, and whatever else knew of it was set back, it alone does,
 * until it ends: then a seal says it. `met`: streams that it has refused; each is read again, since it may be whole by now.
 */
export const refusedIn = (log: Pick<EventLog, 'read'>, met: () => readonly string[]): Refused =>
  async function* () {
    for (const stream of met()) {
      const finding = await problemOf(log, stream);
      if (finding) yield finding;
    }
  };

/** What nothing else has told of. */
export async function* notToldOf(
  refused: Refused | undefined,
  told: ReadonlySet<string | undefined>,
  only?: string,
): AsyncGenerator<Finding> {
  for await (const finding of refused?.() ?? [])
    if (!told.has(finding.stream) && (only === undefined || finding.stream === only)) yield finding;
}
