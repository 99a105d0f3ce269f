import { setTimeout as delay } from 'node:timers/promises';
import { contracts, word } from '../driver/contracts.ts';
import type { Call, EthereumChain } from '../driver/ethereum-chain.ts';
import type { Made } from './judge.ts';
import type { Kill, Operations } from './play.ts';
import type { Random } from './seeded.ts';
import { tried } from './utxo-operations.ts';

type Options = {
  readonly chain: EthereumChain;
  readonly random: Random;
  readonly scripts: readonly string[];
  readonly kill: Kill;
};

type Sent = Made & { readonly raw: string; readonly from: string; readonly nonce: number };
type Told = { readonly from: string; readonly nonce: string };

const NOBODY = `0x${'cd'.repeat(20)}`;

const WEIGHTS = {
  ...{ pay: 400, forward: 120, inTwo: 50, fail: 30, replace: 90, conflict: 50, mine: 140 },
  ...{ reorganise: 55, reorganiseAgainst: 25, shorter: 10, crash: 3, watcher: 3, postgres: 1 },
};

export const ethereumOperations = async ({ chain, random, scripts, kill }: Options): Promise<Operations> => {
  const { rpc, name: node } = chain.node;
  const made = new Map<string, Sent>();
  const counts: Record<string, number> = {};
  const note = async (txid: string): Promise<Sent> => {
    const { from, nonce } = await rpc<Told>('eth_getTransactionByHash', txid);
    const raw = await rpc<string>('eth_getRawTransactionByHash', txid);
    const sent = { txid, raw, from, nonce: Number(nonce), inputs: [`${from.toLowerCase()}:${Number(nonce)}`] };
    made.set(txid, sent);
    return sent;
  };
  const at = {
    forward: await chain.deploy(contracts.forward),
    inTwo: await chain.deploy(contracts.inTwo),
    fail: await chain.deploy(contracts.forwardAndRevert),
  };
  /** Geth mines what it is sent, each by itself, and nothing else. */
  const mine = async (blocks = 1): Promise<void> => {
    if (node === 'anvil') await chain.mine(blocks);
    else for (let nth = 0; nth < blocks; nth += 1) await note((await chain.run({ to: NOBODY, value: 1n })).txid);
  };
  await mine(3);
  const lowest = Number(await rpc<string>('eth_blockNumber'));
  // It writes itself down once a second.
  const written = () => delay(1_300);
  await written();

  const deposit = (): string => random.pick(scripts) ?? '';
  const aValue = (): bigint =>
    BigInt(1 + random.below(900_000)) * 1_000_000_000_000n + BigInt(random.below(1_000)) * 2n;

  const send = async (call: Call): Promise<Sent | undefined> => {
    const from = call.from ?? random.pick(chain.accounts) ?? '';
    const txid = await tried(chain.send({ tip: 2n, ...call, from }));
    return txid === undefined ? undefined : note(txid);
  };
  const pay = () => send({ to: deposit(), value: aValue() });
  const through = (to: string) => send({ to, value: aValue(), data: `0x${word(deposit())}` });

  const waiting = async (): Promise<readonly Sent[]> => {
    const { pending } = await rpc<{ pending: Record<string, Record<string, { hash: string }>> }>('txpool_content');
    const all = Object.values(pending).flatMap((byNonce) => Object.values(byNonce));
    return all.flatMap(({ hash }) => made.get(hash) ?? []);
  };
  /** Another of the same sender with the same number, for somebody else or for us. */
  const rival = ({ from, nonce }: Sent, tip: bigint) =>
    send({ from, nonce, tip, to: random.chance(0.4) ? deposit() : NOBODY, value: aValue() });

  const replace = async (): Promise<void> => {
    const one = random.pick(await waiting());
    if (one) await rival(one, 10n + BigInt(random.below(200)));
  };
  const conflict = async (): Promise<void> => {
    const one = random.pick(await waiting());
    if (!one) return;
    // Geth forgets none that waits: another takes its place there.
    if (node === 'anvil') await rpc('anvil_dropTransaction', one.txid);
    await rival(one, node === 'anvil' ? 3n : 50n);
    await mine();
  };

  const goBack = async (): Promise<{ readonly depth: number; readonly gone: readonly Sent[] }> => {
    // Only of what was followed is anything taken back.
    await delay(random.below(2_500));
    const height = Number(await rpc<string>('eth_blockNumber'));
    const depth = Math.min(1 + random.below(6), height - lowest);
    const gone: Sent[] = [];
    for (let number = height - depth + 1; number <= height; number += 1) {
      const block = await rpc<{ transactions: string[] } | null>(
        'eth_getBlockByNumber',
        `0x${number.toString(16)}`,
        false,
      );
      gone.push(...(block?.transactions ?? []).flatMap((txid) => made.get(txid) ?? []));
    }
    if (depth > 0 && node === 'anvil') await rpc('anvil_rollback', depth);
    else if (depth > 0) await rpc('debug_setHead', `0x${(height - depth).toString(16)}`);
    return { depth, gone };
  };
  /** What is in a block that is given up waits again, as far as somebody still knows it. */
  const resend = async (those: readonly Sent[], chance: number): Promise<void> => {
    for (const { raw } of those) if (random.chance(chance)) await tried(rpc('eth_sendRawTransaction', raw));
  };

  const reorganise = async (): Promise<void> => {
    const { depth, gone } = await goBack();
    await resend(gone, 0.7);
    await mine(depth + 1);
  };
  const reorganiseAgainst = async (): Promise<void> => {
    const { depth, gone } = await goBack();
    const one = random.pick(gone);
    if (one) await rival(one, 3n);
    await mine();
    await resend(gone, 0.5);
    await mine(depth);
  };
  const shorter = async (): Promise<void> => {
    await goBack();
    await mine();
    await delay(random.below(900));
  };
  const crash = async (): Promise<void> => {
    // What geth keeps of a chain for developers alone is gone with it.
    if (node === 'geth') return kill.watcher();
    const lost = await waiting();
    if (random.chance(0.5)) await written();
    await chain.node.kill();
    await delay(random.below(800));
    await chain.node.restart();
    await resend(lost, 0.6);
    await mine();
  };

  const operations: Readonly<Record<keyof typeof WEIGHTS, () => Promise<unknown>>> = {
    ...{ pay, replace, conflict, reorganise, reorganiseAgainst, shorter, crash },
    forward: () => through(at.forward),
    inTwo: () => through(at.inTwo),
    fail: () => through(at.fail),
    mine: () => mine(),
    watcher: async () => kill.watcher(),
    postgres: async () => kill.postgres(),
  };

  return {
    made,
    done: () => counts,
    step: async (wanted) => {
      const name = wanted ?? random.choose(WEIGHTS);
      counts[name] = (counts[name] ?? 0) + 1;
      await operations[name]();
      if (random.chance(0.3)) await delay(random.below(150));
    },
  };
};
