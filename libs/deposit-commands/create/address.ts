import { decideAssign } from '#deposits';
import { execute } from '../decide/execute.ts';
import type { Desk } from '../desk.ts';

class NotNeeded extends Error {}

/**
 * Gives a deposit that has none this address; false when it needs none any more, because it was quicker elsewhere or
 * its quote has expired.
 */
export const assignAddress = async (
  { log, now }: Desk,
  depositId: number,
  address: string,
  actor: string,
): Promise<boolean> => {
  try {
    await execute({
      ...{ log, depositId, actor },
      decide: async (deposit) => decideAssign(deposit, { type: 'AssignAddress', now: now(), address }),
      refuse: ({ refusal }) => new NotNeeded(refusal),
    });
    return true;
  } catch (error) {
    if (error instanceof NotNeeded) return false;
    throw error;
  }
};
