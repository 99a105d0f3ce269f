import { randomBytes } from 'node:crypto';
import { type NodeName, type RunningNode, startNode } from '../nodes/index.ts';
import { type Coin, createWallet, type Output, type Signed, type Wallet } from './wallet.ts';

export type UtxoChain = {
  readonly node: RunningNode;
  readonly wallet: Wallet;
  /** A coin of its own, of that amount or more. */
  readonly coin: () => Coin;
  readonly coinsLeft: () => number;
  /** Signs a payment from a coin; the rest goes back to the wallet, less the fee. */
  readonly payment: (outputs: readonly Output[], how?: Payment) => Signed;
  readonly send: (signed: Signed) => Promise<string>;
  /** Of what is in the mempool, or of exactly these. Answers with the hashes. */
  readonly mine: (blocks?: number) => Promise<readonly string[]>;
  readonly mineOnly: (signed: readonly Signed[]) => Promise<string>;
  /** Gives up the last blocks, and mines one more in their place so that the branch is longer. */
  readonly reorganise: (depth: number, blocks?: number) => Promise<void>;
  /** As a crash does: what was in the mempool is gone, and what is in blocks is on the disk. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Payment = { readonly coin?: Coin; readonly fee?: bigint; readonly replaceable?: boolean };

const FEE = 20_000n;
const PIECES = 200;

const prefixes: Readonly<Partial<Record<NodeName, 'bcrt' | 'rltc'>>> = {
  bitcoind: 'bcrt',
  btcd: 'bcrt',
  litecoind: 'rltc',
};

/** A regtest chain with coins to spend. Blocks go to a fresh key each time: mined again they would be the very same. */
export const startUtxoChain = async (name: 'bitcoind' | 'litecoind' | 'btcd', fundings = 1): Promise<UtxoChain> => {
  const wallet = createWallet();
  const prefix = prefixes[name] ?? 'bcrt';
  const node = await startNode(name, name === 'btcd' ? [`--miningaddr=${wallet.address(prefix)}`] : []);
  const { rpc } = node;
  const coins: Coin[] = [];
  const nobody = (): string => createWallet(randomBytes(32)).address(prefix);

  const mineTo = (address: string, blocks: number): Promise<readonly string[]> =>
    name === 'btcd' ? rpc('generate', blocks) : rpc('generatetoaddress', blocks, address);

  const payment: UtxoChain['payment'] = (outputs, { coin = take(), fee = FEE, replaceable = false } = {}) => {
    const rest = coin.amount - outputs.reduce((sum, { amount }) => sum + amount, 0n) - fee;
    return wallet.sign([coin], [...outputs, { script: wallet.script, amount: rest }], replaceable);
  };

  const take = (): Coin => {
    const coin = coins.shift();
    if (!coin) throw new Error('the wallet of the test has no coin left: fund it with more');
    return coin;
  };

  const send: UtxoChain['send'] = async ({ hex }) => rpc<string>('sendrawtransaction', hex);

  const coinbaseOf = async (hash: string): Promise<Coin> => {
    const { tx } = await rpc<{ tx: readonly string[] }>('getblock', hash, 1);
    const hex = await rpc<string>('getrawtransaction', tx[0], 0);
    const { vout } = await rpc<{ vout: readonly { value: number }[] }>('decoderawtransaction', hex);
    return { txid: tx[0] ?? '', vout: 0, amount: BigInt(Math.round((vout[0]?.value ?? 0) * 1e8)) };
  };

  /** Splits a reward into many coins, so that payments do not lean on each other. */
  const fund = async (hash: string): Promise<void> => {
    const coinbase = await coinbaseOf(hash);
    const piece = (coinbase.amount - 1_000_000n) / BigInt(PIECES);
    const outputs = Array.from({ length: PIECES }, () => ({ script: wallet.script, amount: piece }));
    const split = wallet.sign([coinbase], outputs);
    await send(split);
    coins.push(...outputs.map(({ amount }, vout) => ({ txid: split.txid, vout, amount })));
  };

  const begin = async (): Promise<void> => {
    const rewards = await mineTo(wallet.address(prefix), fundings);
    await mineTo(nobody(), 100);
    for (const reward of rewards) await fund(reward);
    await mineTo(nobody(), 1);
  };
  try {
    await begin();
  } catch (error) {
    await node.stop();
    throw error;
  }

  const mine: UtxoChain['mine'] = (blocks = 1) => mineTo(nobody(), blocks);
  return {
    node,
    wallet,
    coin: take,
    coinsLeft: () => coins.length,
    payment,
    send,
    mine,
    mineOnly: async (signed) => {
      const { hash } = await rpc<{ hash: string }>(
        'generateblock',
        nobody(),
        signed.map(({ hex }) => hex),
      );
      return hash;
    },
    reorganise: async (depth, blocks = depth + 1) => {
      const height = await rpc<number>('getblockcount');
      await rpc('invalidateblock', await rpc('getblockhash', height - depth + 1));
      await mine(blocks);
    },
    crash: async () => {
      // It writes its blocks down when it is asked for what is unspent.
      await rpc('gettxoutsetinfo');
      await node.kill();
      await node.restart();
    },
    stop: node.stop,
  };
};
