import { ownersOfScripts } from '#addresses';
import type { ChainOutput, ChainTransaction } from '#chains';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { WatchedChain } from '../chain.ts';
import type { NewPayment } from '../rows/add-payments.ts';
import { isPassedOn } from '../signals.ts';

/** An output that pays to an address that was given out. */
export type Match = {
  readonly chain: Ticker;
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
      return [{ chain: coin, transaction, output, ...ids }];
    }),
  );
};

type Keyed = Pick<NewPayment, 'chain' | 'txid' | 'script' | 'amount'> & { readonly vout: number };

/** Of Ethereum, whether it was sent or passed on. */
const kindOf = ({ chain, vout }: Pick<Keyed, 'chain' | 'vout'>): number => (chain === 'ETH' ? vout % 2 : vout);

/** As its transaction says by itself. */
export const isSent = (paid: Pick<Keyed, 'chain' | 'vout'>): boolean => !isPassedOn(paid);

/**
 * What a contract passes on may be another sum when its transaction is mined again elsewhere. What was told of a payment
 * never changes: that is another payment then.
 */
export const keyOf = (paid: Keyed): string => [paid.txid, kindOf(paid), paid.script, paid.amount].join(' ');

const keyed = ({ chain, transaction: { txid }, output }: Match): Keyed => ({ chain, txid, ...output });

export const matchKey = (match: Match): string => keyOf(keyed(match));

/** Its own, unless another sum has that. */
export const freeVout = (match: Match, known: readonly Keyed[]): number => {
  const own = keyed(match);
  const taken = known.filter(
    ({ txid, script, ...each }) =>
      txid === own.txid && script === own.script && kindOf({ ...each, chain: own.chain }) === kindOf(own),
  );
  return Math.max(own.vout, ...taken.map(({ vout }) => vout + 2));
};

/** Recorded, and never told; what is nothing is no payment, however little counts. */
const isTooLittle = ({ dust }: Pick<WatchedChain, 'dust'>, amount: bigint): boolean => amount === 0n || amount < dust;

export const isDust = (watched: Pick<WatchedChain, 'dust'>, { output }: Pick<Match, 'output'>): boolean =>
  isTooLittle(watched, output.amount);

/** It was too small to be told of, and by what is set now it counts. */
export const countsNow = (
  watched: Pick<WatchedChain, 'dust'>,
  payment: Pick<NewPayment, 'isDust' | 'amount'>,
): boolean => payment.isDust && !isTooLittle(watched, payment.amount);

type Seen = Pick<NewPayment, 'vout' | 'raw' | 'replaceable' | 'seenAt' | 'block'>;

export const paymentOf = (watched: Pick<WatchedChain, 'dust' | 'agree'>, match: Match, seen: Seen): NewPayment => {
  const { chain, transaction, output, depositId, transactionId } = match;
  return {
    ...{ chain, txid: transaction.txid, script: output.script, amount: output.amount },
    ...{ depositId, transactionId, isDust: isDust(watched, match), ...seen },
    isCoinbase: transaction.isCoinbase === true,
    isAlone: watched.agree > 1,
  };
};
