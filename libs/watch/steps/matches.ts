import { ownersOfScripts } from '#addresses';
import type { ChainOutput, ChainTransaction } from '#chains';
import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import type { NewPayment } from '../rows/payments.ts';

/** An output that pays to an address that was given out. */
export type Match = {
  readonly transaction: ChainTransaction;
  readonly output: ChainOutput;
  readonly depositId: number | null;
  readonly transactionId: number | null;
};

/** By script, in one question for all of them. */
export const matchesIn = async (
  db: Queryable,
  { coin }: Pick<WatchedChain, 'coin'>,
  transactions: readonly ChainTransaction[],
): Promise<readonly Match[]> => {
  const scripts = transactions.flatMap(({ outputs }) => outputs.map(({ script }) => script));
  const owners = await ownersOfScripts(db, coin, scripts);
  if (owners.size === 0) return [];
  return transactions.flatMap((transaction) =>
    transaction.outputs.flatMap((output): Match[] => {
      const owner = owners.get(output.script)?.owner;
      if (!owner) return [];
      const ids = { depositId: null, transactionId: null, ...owner };
      return [{ transaction, output, ...ids }];
    }),
  );
};

export const keyOf = ({
  txid,
  vout,
  script,
}: {
  readonly txid: string;
  readonly vout: number;
  readonly script: string;
}) => `${txid} ${vout} ${script}`;

export const matchKey = ({ transaction, output }: Match): string => keyOf({ txid: transaction.txid, ...output });

type Seen = Pick<NewPayment, 'raw' | 'replaceable' | 'seenAt' | 'block'>;

export const paymentOf = (
  { coin, dust }: Pick<WatchedChain, 'coin' | 'dust'>,
  { transaction, output, depositId, transactionId }: Match,
  seen: Seen,
): NewPayment => ({
  ...{ chain: coin, txid: transaction.txid, vout: output.vout, script: output.script, amount: output.amount },
  ...{ depositId, transactionId, isDust: output.amount < dust, ...seen },
});
