import type { Logger } from '#platform/logging';

/** Quotes, deadlines and the ends of keys are minutes at the least; clocks that are kept right differ by less. */
const MOST_MS = 5_000;

export type ClocksSeen = {
  /** This process's clock before the question and after the answer; the database's in between. */
  readonly asked: number;
  readonly there: number;
  readonly answered: number;
};

/** By how much this process's clock goes ahead of the database's, at the least; less than 0: behind. */
export const aheadBy = ({ asked, there, answered }: ClocksSeen): number => {
  if (asked > there) return asked - there;
  return answered < there ? answered - there : 0;
};

/** Told when they come apart, and when they are one again: not at every beat. */
export const createClockTeller = (logger: Logger): ((seen: ClocksSeen) => void) => {
  let isApart = false;
  return (seen) => {
    const ahead = aheadBy(seen);
    if (Math.abs(ahead) > MOST_MS === isApart) return;
    isApart = !isApart;
    const seconds = Math.round(ahead / 1_000);
    if (isApart)
      logger.error(
        { alert: 'clock_differs', ahead_s: seconds },
        "this machine's clock is not the database's: quotes and the ends of keys are wrong here until it is set right",
      );
    else logger.info("this machine's clock is the database's again");
  };
};
