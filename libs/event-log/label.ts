import type { JsonObject } from './json.ts';

/**
 * What a log says of itself lies beside history: it is in no chain and no seal, and whoever reads more than this stream
 * passes it over. Releases that do not know it take it for somebody else's, since it lacks what every event of ours has.
 */
export const LABEL_STREAM = 'cointill-installation';

/** As it is found: others may write to that stream too. */
export type LabelEvent = {
  readonly revision: number;
  readonly type: string;
  readonly data: unknown;
  readonly recordedAt: Date;
};

export type LogLabel = {
  /** The oldest first. */
  readonly read: () => Promise<readonly LabelEvent[]>;
  /** Behind that revision, or as the first. False where somebody else was faster. */
  readonly write: (
    after: number | undefined,
    event: { readonly type: string; readonly data: JsonObject },
  ) => Promise<boolean>;
};
