import type pg from 'pg';
import { codeOf, identityOf } from '#platform/postgres';
import { isBefore, type Position, positionOf } from '../position.ts';
import { orConnectionLost } from './connection-loss.ts';
import { NEXT_XID } from './rows.ts';

/** Only a standby cannot say on which timeline it writes: it has taken over from nobody yet. */
const IN_RECOVERY = '55000';

const identity = async (db: pg.ClientBase): Promise<string | undefined> => {
  try {
    return await identityOf(db, 'events');
  } catch (error) {
    if (codeOf(error) === IN_RECOVERY) return undefined;
    throw error;
  }
};

/** Behind whatever may be written by now. */
const nextPlace = async (db: pg.ClientBase): Promise<Position> => {
  const { rows } = await db.query<{ next: string }>(`SELECT ${NEXT_XID} AS next`);
  return positionOf(rows[0]?.next ?? '0', '0');
};

/**
 * A database that is exchanged under a running process breaks its connections first; so each new one is asked whether it
 * leads to another database, or to this one as it was before what was seen in it. An event that somebody takes away
 * changes neither.
 */
export const createExchanged = () => {
  let known: string | undefined;
  let seen: Position | undefined;
  let onExchanged = (): void => undefined;
  return {
    saw: (position: Position): void => {
      if (isBefore(seen, position)) seen = position;
    },
    whenExchanged: (listener: () => void): void => {
      onExchanged = listener;
    },
    /** `standby`: it has yet to be looked at, once it has taken over. */
    look: (db: pg.ClientBase): Promise<'standby' | 'looked'> =>
      orConnectionLost(async () => {
        const found = await identity(db);
        if (found === undefined) return 'standby';
        // What commits beside the look is heard of before its answer, which does not know of it.
        const before = seen ?? positionOf('0', '0');
        const isAnother = !isBefore(before, await nextPlace(db)) || (known !== undefined && known !== found);
        known = found;
        if (isAnother) {
          seen = undefined;
          onExchanged();
        }
        return 'looked';
      }),
  };
};
