import type { AccountOutcome } from '../index.ts';

/** For whom a refused change of accounts would be a mistake of the test. */
export const done = async <Item>(change: Promise<AccountOutcome<Item>>): Promise<Item> => {
  const came = await change;
  if (came.outcome === 'refused') throw new Error(`refused: ${JSON.stringify(came.refusal)}`);
  return came.item;
};
