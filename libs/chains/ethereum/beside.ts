import type { Beside } from '../chain-node.ts';
import { accountIn, amountIn } from './shapes.ts';

/** As a block says: amounts in gwei, as the consensus layer counts. */
export type Withdrawal = { readonly address: string; readonly amount: string };

const GWEI = 1_000_000_000n;

type Block = {
  readonly miner: string;
  readonly transactions: readonly unknown[];
  readonly withdrawals?: readonly Withdrawal[] | null;
};

/** Withdrawals of validators (EIP-4895) are in no transaction, nor is what transactions tip whoever built their block. */
export const besideIn = ({ miner, transactions, withdrawals }: Block): readonly Beside[] => {
  const sums = new Map<string, bigint>();
  for (const { address, amount } of withdrawals ?? []) {
    const script = accountIn(address);
    sums.set(script, (sums.get(script) ?? 0n) + amountIn(amount) * GWEI);
  }
  const withdrawn = [...sums].map(([script, amount]) => ({ script, amount }));
  return transactions.length > 0 ? [...withdrawn, { script: accountIn(miner), amount: undefined }] : withdrawn;
};
