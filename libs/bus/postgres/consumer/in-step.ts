import { together } from '#platform/together';
import { type ConsumeOptions, DEFAULT_BATCH_SIZE, type Delivered } from '../../port.ts';
import { type Committed, commit } from './offsets.ts';
import { type Asked, readBatches } from './read-batch.ts';
import type { Session } from './session.ts';

/** What the partitions of a session do at the same moment is one statement. */
export type InStep = {
  readonly read: (asked: Asked) => Promise<readonly Delivered[]>;
  readonly commit: (committed: Committed) => Promise<void>;
};

export const inStep = (session: Session, { group, topic, batchSize = DEFAULT_BATCH_SIZE }: ConsumeOptions): InStep => ({
  read: together((asked) => readBatches(session, topic, asked, batchSize)),
  commit: together(async (committed) => {
    await commit(session, { group, topic }, committed);
    return committed.map(() => undefined);
  }),
});
