import { type AssignRefusal, decideAssign, type Refused } from '#deposits';
import { execute } from '../decide/execute.ts';
import type { Desk } from '../desk.ts';
import type { Busy, Decided, NotFound } from '../outcome.ts';

export type AssignRequest = { readonly depositId: number; readonly address: string; readonly actor: string };

export type AssignOutcome = Decided | Refused<AssignRefusal> | NotFound | Busy;

/** For a deposit that has none; refused when it was quicker elsewhere, or the quote has expired. */
export const assignAddress = ({ log, now }: Desk, { address, ...about }: AssignRequest): Promise<AssignOutcome> =>
  execute({
    ...about,
    log,
    decide: async (deposit) => decideAssign(deposit, { type: 'AssignAddress', now: now(), address }),
  });
