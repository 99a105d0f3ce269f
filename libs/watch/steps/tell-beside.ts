import { ownersOfScripts } from '#addresses';
import { type ChainBlock, coinText } from '#chains';
import type { Turn } from '../parts.ts';

/** A payment is of a transaction, whose sender is screened: of other money of ours a person hears. */
export const oursBeside = async ({ pool, chain }: Turn, { beside = [] }: ChainBlock) => {
  const owners = await ownersOfScripts(
    pool,
    chain.coin,
    beside.map(({ script }) => script),
  );
  return beside.flatMap(({ script, amount }) => {
    const paid = owners.get(script);
    return paid ? [{ ...paid, amount }] : [];
  });
};

type Ours = Awaited<ReturnType<typeof oursBeside>>;

export const tellBeside = ({ chain: { coin }, logger }: Turn, height: number, ours: Ours): void => {
  for (const { address, owner, amount } of ours)
    logger.error(
      {
        ...{ alert: 'chain_paid_without_transaction', chain: coin, height, address },
        ...('depositId' in owner ? { deposit: owner.depositId } : { transaction: owner.transactionId }),
        ...(amount !== undefined && { amount: coinText(coin, amount) }),
      },
      'an address got something by no transaction of its block: that is credited to nobody',
    );
};
