import type { EventLog } from '#event-log';
import { brokenAt } from '#read-models';
import type { Finding } from './finding.ts';

/** What this process refuses of history at present. */
export type Refused = {
  /** Streams that it has met so. */
  readonly met: () => readonly string[];
  /** It may be whole by now. */
  readonly findingOf: (stream: string) => Promise<Finding | undefined>;
};

/**
 * A process remembers what it was shown. Where an end is cut off, and whatever else knew of it was set back, it alone does,
 * until it ends: then a seal says it.
 */
export const refusedIn = (log: Pick<EventLog, 'read'>, met: Refused['met']): Refused => ({
  met,
  findingOf: async (stream) => {
    const broken = await brokenAt(log, stream);
    if (broken === undefined) return undefined;
    const { problem, revision } = broken;
    return { by: 'chain', stream, ...(revision !== undefined && { revision }), problem };
  },
});

/** What nothing else has told of. */
export async function* notToldOf(
  refused: Refused | undefined,
  told: ReadonlySet<string | undefined>,
  only?: string,
): AsyncGenerator<Finding> {
  for (const stream of refused?.met() ?? []) {
    if (told.has(stream) || (only !== undefined && stream !== only)) continue;
    const finding = await refused?.findingOf(stream);
    if (finding) yield finding;
  }
}
