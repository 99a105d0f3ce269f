import { decideAssign } from '#deposits';
import { shown } from '#platform/errors';
import { execute } from '../decide/execute.ts';
import type { Desk } from '../desk.ts';

/**
 * Gives a deposit that has none this address; false when it needs none any more, because it was quicker elsewhere or
 * its quote has expired.
 */
export const assignAddress = async (
  desk: Desk,
  depositId: number,
  address: string,
  actor: string,
): Promise<boolean> => {
  let needed = true;
  try {
    await execute({
      log: desk.log,
      depositId,
      actor,
      decide: async (deposit) => decideAssign(deposit, { type: 'AssignAddress', now: desk.now(), address }),
      refuse: ({ refusal }) => {
        needed = false;
        return shown(409, refusal);
      },
    });
  } catch (error) {
    if (needed) throw error;
  }
  return needed;
};
