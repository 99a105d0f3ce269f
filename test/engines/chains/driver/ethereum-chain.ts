import { setTimeout as delay } from 'node:timers/promises';
import { type RunningNode, startNode } from '../nodes/index.ts';

export type Call = {
  readonly to?: string;
  readonly value?: bigint;
  readonly data?: string;
  readonly nonce?: number;
  readonly from?: string;
  /** In gwei, for one that takes the place of another. */
  readonly tip?: bigint;
};

export type EthereumChain = {
  readonly node: RunningNode;
  readonly accounts: readonly string[];
  /** Sends, and waits for nothing. */
  readonly send: (call: Call) => Promise<string>;
  readonly mine: (blocks?: number) => Promise<void>;
  /** Sends and mines; answers when it is in a block. */
  readonly run: (call: Call) => Promise<{ readonly txid: string; readonly blockHash: string }>;
  readonly deploy: (runtime: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

type Receipt = { readonly blockHash: string; readonly contractAddress: string | null };

const GAS = '0x7a120';
const GWEI = 1_000_000_000n;

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

/** Copies what follows it into memory and makes it the contract. */
const initialiser = (runtime: string): string =>
  `0x60${(runtime.length / 2).toString(16).padStart(2, '0')}8060093d393df3${runtime}`;

export const startEthereumChain = async (
  name: 'anvil' | 'geth',
  more: readonly string[] = [],
): Promise<EthereumChain> => {
  const node = await startNode(name, more);
  const { rpc } = node;
  const accounts = await rpc<string[]>('eth_accounts');

  const mine = async (blocks = 1): Promise<void> => {
    if (name === 'anvil') await rpc('anvil_mine', hex(blocks));
  };

  const send: EthereumChain['send'] = ({ to, value = 0n, data, nonce, from = accounts[0], tip }) =>
    rpc('eth_sendTransaction', {
      ...{ from, gas: GAS, value: hex(value) },
      ...(to && { to }),
      ...(data && { data }),
      ...(nonce !== undefined && { nonce: hex(nonce) }),
      ...(tip && { maxPriorityFeePerGas: hex(tip * GWEI), maxFeePerGas: hex((tip + 20n) * GWEI) }),
    });

  const receiptOf = async (txid: string): Promise<Receipt> => {
    for (let tries = 0; tries < 400; tries += 1) {
      // A node that indexes says so with an error.
      const receipt = await rpc<Receipt | null>('eth_getTransactionReceipt', txid).catch(() => null);
      if (receipt) return receipt;
      await delay(25);
    }
    throw new Error(`${txid} came into no block`);
  };

  const run: EthereumChain['run'] = async (call) => {
    const txid = await send(call);
    await mine();
    return { txid, blockHash: (await receiptOf(txid)).blockHash };
  };

  return {
    ...{ node, accounts, send, mine, run },
    deploy: async (runtime) => {
      const { txid } = await run({ data: initialiser(runtime) });
      return (await receiptOf(txid)).contractAddress ?? '';
    },
    stop: node.stop,
  };
};
