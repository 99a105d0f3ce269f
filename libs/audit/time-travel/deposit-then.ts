import { depositEventOf, depositStream } from '#deposit-commands';
import { type DepositState, depositView, evolve, type Instant, initialState } from '#deposits';
import type { EventLog, RecordedEvent } from '#event-log';

/** The place in a deposit's history that is looked at: a revision, or all that was recorded by a time. */
export type Moment = { readonly revision: number } | { readonly at: Instant };

export type DepositThen =
  | { readonly outcome: 'shown'; readonly deposit: ReturnType<typeof depositView>; readonly revision: number }
  | { readonly outcome: 'not_yet' }
  | { readonly outcome: 'no_such_revision'; readonly last: number };

const isBehind = (event: RecordedEvent, moment: Moment): boolean =>
  'revision' in moment ? event.revision > moment.revision : event.recordedAt.getTime() > Date.parse(moment.at);

/**
 * The Deposit object as its partner would have read it: a read shows an event from the moment that the log has it, and
 * nothing of a deposit changes without an event, not even its expiry. The whole stream is read, so what is shown is
 * proven too.
 */
export const depositThen = async (
  log: Pick<EventLog, 'read'>,
  depositId: number,
  moment: Moment,
): Promise<DepositThen> => {
  const history = await Array.fromAsync(log.read(depositStream(depositId)));
  const behind = history.findIndex((event) => isBehind(event, moment));
  const known = behind < 0 ? history : history.slice(0, behind);
  const last = known.at(-1);
  if (!last) return { outcome: 'not_yet' };
  if ('revision' in moment && last.revision < moment.revision)
    return { outcome: 'no_such_revision', last: last.revision };
  const state = known.map(depositEventOf).reduce<DepositState>(evolve, initialState);
  if (state.stage === 'none') return { outcome: 'not_yet' };
  const { revision, recordedAt } = last;
  return { outcome: 'shown', deposit: depositView(state, recordedAt.toISOString()), revision };
};
