import { lastIds } from '#deposit-commands';
import type { EventPlace, RecordedEvent } from '#event-log';
import { lastAccountIds } from '#partners';
import type { Queryable } from '#platform/postgres';
import { type Given, givenIn, type Numbers, type Problem } from './given.ts';

/** An event of which nothing is counted. */
export type LeftOut = EventPlace & Problem;

type TooFar = Problem & { readonly isTooFar: true };

export type Sifted = {
  /** The last that is counted; undefined: none is. */
  readonly last: RecordedEvent | undefined;
  readonly given: readonly Given[];
  /** Of each kind of number the highest that was given. */
  readonly most: Required<Numbers>;
  readonly leftOut: readonly LeftOut[];
  /** Some of these may be counted yet: once numbers are raised to where they are. */
  readonly isToBeJudgedAgain: boolean;
};

/** Ten restores behind each other, of which each goes on a million higher, without a deposit in between. */
const FURTHEST = 10_000_000;

const NONE: Required<Numbers> = {
  ...{ depositId: 0, transactionId: 0, returnId: 0 },
  ...{ affiliateId: 0, entityId: 0, apiKeyId: 0 },
};

const NAMES = Object.keys(NONE) as readonly (keyof Numbers)[];

const higher = (one: Required<Numbers>, other: Numbers): Required<Numbers> => {
  const highest = { ...one };
  for (const name of NAMES) highest[name] = Math.max(one[name], other[name] ?? 0);
  return highest;
};

const judge = (event: RecordedEvent, stands: Required<Numbers>): Given | Problem | TooFar => {
  const found = givenIn(event);
  if ('problem' in found) return found;
  const name = NAMES.find((each) => (found[each] ?? 0) - stands[each] > FURTHEST);
  if (name === undefined) return found;
  return {
    isTooFar: true,
    problem: `its ${name} ${found[name]} is more than ${FURTHEST} above ${stands[name]}, the last that was given`,
  };
};

/**
 * Parts what may be counted from what cannot be right. One number of somebody's making would be the end of all of them:
 * what comes next is above it.
 */
export const sift = async (db: Queryable, events: readonly RecordedEvent[]): Promise<Sifted> => {
  let stands: Required<Numbers> = { ...(await lastIds(db)), ...(await lastAccountIds(db)) };
  let [last, most]: [RecordedEvent | undefined, Required<Numbers>] = [undefined, NONE];
  const given: Given[] = [];
  const leftOut: LeftOut[] = [];
  let isToBeJudgedAgain = false;
  for (const event of events) {
    const found = judge(event, stands);
    if ('problem' in found) {
      const { stream, revision, id, type, position } = event;
      leftOut.push({ stream, revision, id, type, position, problem: found.problem });
      isToBeJudgedAgain ||= 'isTooFar' in found;
    } else {
      [last, most, stands] = [event, higher(most, found), higher(stands, found)];
      given.push(found);
    }
  }
  return { last, given, most, leftOut, isToBeJudgedAgain };
};
