import type pg from 'pg';
import { recordChange } from '#partners';
import { type Player, type PlayerRef, playerId } from '../player.ts';
import { listPlayers } from './list-players.ts';

/** On record before anybody sees it; the number itself is not, since a record is for ever. */
export const revealPlayer = async (
  pool: pg.Pool,
  { entityId, gamblerRef }: PlayerRef,
  actor: string,
  now: Date,
): Promise<Player | undefined> => {
  const { items } = await listPlayers(pool, { entityId, gamblerRef, limit: 1 }, now);
  const [player] = items;
  if (!player) return undefined;
  const subjectId = playerId(player);
  await recordChange(pool, {
    ...{ actor, action: 'changed', subject: 'player', subjectId },
    ...{ before: null, after: { phone_shown: true } },
  });
  return player;
};
