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

export type Text = { readonly player: PlayerRef; readonly numberHash: Buffer; readonly keyId: number | undefined };

const limitsOf = ({ player, numberHash, keyId }: Text, most: TextLimits) => [
  { subject: `texts to number ${numberHash.toString('base64')}`, most: most.perNumber, withinSeconds: HOUR },
  { subject: `texts to player ${playerId(player)}`, most: most.perPlayer, withinSeconds: HOUR },
  ...(keyId === undefined ? [] : [{ subject: `texts by key ${keyId}`, most: most.perKey, withinSeconds: HOUR }]),
  { subject: `texts of casino ${player.entityId}`, most: most.perCasino, withinSeconds: HOUR },
];

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
