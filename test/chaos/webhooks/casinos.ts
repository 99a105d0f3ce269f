import type { Partners } from '#partners';
import { done } from '#partners/testing';
import type { Manner } from './endpoints.ts';

const times = (count: number, manner: Manner): readonly Manner[] => Array.from({ length: count }, () => manner);

export const manners: readonly Manner[] = [
  ...times(35, 'answers'),
  ...times(5, 'hangs'),
  ...times(5, 'fails'),
  ...times(5, 'refuses'),
];

/** One for each endpoint, at the place of its endpoint. */
export type ChaosCasino = { readonly entityId: number; readonly manner: Manner };

export const addCasinos = async (
  { accounts }: Pick<Partners, 'accounts'>,
  urls: readonly string[],
): Promise<readonly ChaosCasino[]> => {
  const actor = 'operator token 1';
  const { id: affiliate_id } = await accounts.affiliates.add(actor, { name: 'Chaos' });
  const casinos: ChaosCasino[] = [];
  for (const [place, manner] of manners.entries()) {
    const webhook = { url: urls[place] ?? '', secret: `secret of casino ${place}` };
    const { id } = await done(accounts.entities.add(actor, { affiliate_id, name: `Casino ${place}`, webhook }));
    casinos.push({ entityId: id, manner });
  }
  return casinos;
};
