import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Answer } from '../log/operations.ts';

export type Outcome =
  | Answer
  | { readonly kind: 'not ready' }
  | { readonly kind: 'commit timeout' }
  /** Written, and then the connection to the caller is no more. */
  | { readonly kind: 'answer lost' };

const uncommittedIn = ({ uncommitted }: Context, stream: string) => {
  const firsts = uncommitted.get(stream) ?? new Set<number>();
  uncommitted.set(stream, firsts);
  return firsts;
};

/** Whether the commit came in time. A repeat does not wait for its original: it runs into the limit. */
const committed = async (ctx: Context, stream: string, answer: Answer) => {
  const { commitMs, commitTimeoutMs } = ctx.faults.current();
  const firsts = uncommittedIn(ctx, stream);
  if (answer.kind === 'written') {
    firsts.add(answer.first);
    const commit = sleep(commitMs).then(() => firsts.delete(answer.first));
    return Promise.race([commit, sleep(commitTimeoutMs, false)]);
  }
  if (answer.kind !== 'repeated' || [...firsts].every((first) => first > answer.revision)) return true;
  return sleep(commitTimeoutMs, false);
};

/** Carries out what changes the log, with whatever is to go wrong around it. */
export const performWrite = async (ctx: Context, stream: string, operation: () => Answer): Promise<Outcome> => {
  const { faults } = ctx;
  await faults.delayed();
  if (!faults.isReady()) return { kind: 'not ready' };
  const answer = operation();
  if (faults.current().commitMs > 0 && !(await committed(ctx, stream, answer))) return { kind: 'commit timeout' };
  if (faults.losesThisAnswer()) return { kind: 'answer lost' };
  await faults.answersReleased();
  return answer;
};
