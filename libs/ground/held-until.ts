import { BrokenHistory } from '#event-log';
import { reasonOf } from '#platform/reason';
import type { AskParts } from './ask-on.ts';
import type { Ground } from './ground.ts';
import { lackOfShown } from './lack-of-shown.ts';
import { checkStillOwn } from './own-label.ts';
import type { Lack } from './written-whole.ts';

type Claim = NonNullable<Ground['claim']>;
export type Elsewhere = AskParts & Pick<Ground, 'configuration' | 'health' | 'pool'> & { readonly claim: Claim };
export type MaybeElsewhere = Omit<Elsewhere, 'claim'> & { readonly claim: Claim | undefined };

export const isElsewhere = (parts: MaybeElsewhere): parts is Elsewhere => parts.claim !== undefined;

/** What was deleted for good answers nothing any more, however often it is asked. */
const orBroken = async ({ health, logger }: Elsewhere, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
    if (health.alarm(error.message))
      logger.fatal({ alert: 'broken_history', err: error }, 'the event log can no longer say whose it is');
  }
};

const UNWRITTEN = 'nothing is written to the event log, since it lacks what was shown of it: ';

/** Readiness stays as it is, with an alarm: what partners read goes on. */
const tellLack = ({ health, logger }: Elsewhere): ((lack: Lack) => void) => {
  let told: Lack;
  return (lack) => {
    if (told !== undefined) health.calm(told);
    if (lack === undefined) logger.warn('the event log has what was shown of it again: it is written to');
    else if (told === undefined)
      logger.fatal({ alert: 'log_lacks_shown', lack }, 'nothing is written to the event log: put its own one back');
    told = lack === undefined ? undefined : `${UNWRITTEN}${lack}`;
    if (told !== undefined) health.alarm(told);
  };
};

/** Held back until that was done once; whoever asks meanwhile hears what is in its way. */
export const heldUntil = (parts: Elsewhere, work: () => Promise<void>): (() => Promise<void>) => {
  let why: string | undefined;
  const release = parts.claim.hold(() => why);
  return async () => {
    try {
      await orBroken(parts, work);
    } catch (error) {
      why = reasonOf(error);
      throw error;
    }
    release();
    parts.claim.askBy(() => orBroken(parts, () => checkStillOwn(parts)));
    parts.claim.lackBy(() => lackOfShown(parts.claim.log, parts.pool), tellLack(parts));
    // Told before somebody is refused for it; who cannot be asked now is with the first append.
    parts.claim.isWhole().catch(() => undefined);
  };
};
