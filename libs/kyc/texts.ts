import { countUses } from '#limits';
import type { Queryable } from '#platform/postgres';
import { type PlayerRef, playerId } from './player.ts';

/** How many texts may go out in an hour: each costs money, and may reach a stranger. */
export type TextLimits = {
  readonly perNumber: number;
  readonly perPlayer: number;
  readonly perKey: number;
  readonly perCasino: number;
};

export const defaultTextLimits: TextLimits = { perNumber: 30, perPlayer: 20, perKey: 600, perCasino: 1_000 };

const HOUR = 3_600;

/** One phone may have players at several affiliates: so many times what one of them may send to it. */
const NUMBER_OVER_ALL = 10;

export type Text = {
  readonly affiliateId: number;
  readonly player: PlayerRef;
  readonly numberHash: Buffer;
  readonly keyId: number | undefined;
};

/**
 * To a number by affiliate first: no partner shuts out another's players by texts of his own, nor hears whether others
 * send any. Over all of them last, so that of it nobody uses up more than he may send.
 */
const limitsOf = ({ affiliateId, player, numberHash, keyId }: Text, most: TextLimits) => {
  const number = `texts to number ${numberHash.toString('base64')}`;
  return [
    { subject: `${number} of affiliate ${affiliateId}`, most: most.perNumber, withinSeconds: HOUR },
    { subject: `texts to player ${playerId(player)}`, most: most.perPlayer, withinSeconds: HOUR },
    ...(keyId === undefined ? [] : [{ subject: `texts by key ${keyId}`, most: most.perKey, withinSeconds: HOUR }]),
    { subject: `texts of casino ${player.entityId}`, most: most.perCasino, withinSeconds: HOUR },
    { subject: number, most: most.perNumber * NUMBER_OVER_ALL, withinSeconds: HOUR },
  ];
};

export type CountedText = 'may_go' | 'too_many' | 'uncounted';

/**
 * From the narrowest to the widest, so that what is stopped by one uses up nothing of the next. Each is counted by itself,
 * in a statement that holds it for no longer than that: of texts at once the last place goes to one, and one that was
 * counted and then not sent stays counted. Never within a transaction.
 */
export const countText = async (
  db: Queryable,
  text: Text,
  most: TextLimits,
  now: Date,
): Promise<Exclude<CountedText, 'uncounted'>> => {
  for (const limit of limitsOf(text, most)) {
    const [counted] = await countUses(db, [limit], now);
    if (!counted?.allowed) return 'too_many';
  }
  return 'may_go';
};
