import type { BlockTip, ChainBlock, ChainNode, ChainTransaction } from '#chains';

/** A node that says whatever a test wants it to; what it holds can be shared, as honest nodes share a chain. */
export type MemoryNode = ChainNode & {
  /** Behind its newest block, with these transactions; the hash says who mined it. */
  readonly mine: (by: string, transactions?: readonly ChainTransaction[]) => void;
  /** It takes over all that another has. */
  readonly follow: (other: MemoryNode) => void;
  readonly branch: ChainBlock[];
  /** What keeps it from giving a block: undefined when it has not got it. */
  readonly lacks: Map<number, Error | undefined>;
  /** What waits, until it is mined. */
  readonly pool: Map<string, ChainTransaction>;
};

const GENESIS: ChainBlock = { hash: 'genesis', parent: '', time: Math.floor(Date.now() / 1_000), transactions: [] };

export const memoryNode = (name: string, blocks: readonly ChainBlock[] = [GENESIS]): MemoryNode => {
  const branch = [...blocks];
  const lacks: MemoryNode['lacks'] = new Map();
  const pool: MemoryNode['pool'] = new Map();
  const tip = async (): Promise<BlockTip> => {
    const { hash, time } = branch.at(-1) ?? GENESIS;
    return { hash, height: branch.length - 1, time, isSyncing: false, prunedBelow: 0 };
  };
  return {
    ...{ name, tip, branch, lacks, pool },
    mine: (by, transactions = []) => {
      const parent = branch.at(-1) ?? GENESIS;
      const time = Math.floor(Date.now() / 1_000);
      for (const { txid } of transactions) pool.delete(txid);
      branch.push({
        hash: `${by} ${branch.length} behind ${parent.hash.length}`,
        parent: parent.hash,
        time,
        transactions,
      });
    },
    follow: (other) => void branch.splice(0, branch.length, ...other.branch),
    check: async () => undefined,
    shortcoming: async () => undefined,
    hashAt: async (height) => branch[height]?.hash,
    timeAt: async (height) => branch[height]?.time,
    block: async (hash) => {
      const height = branch.findIndex((each) => each.hash === hash);
      const lack = lacks.get(height);
      if (lack) throw lack;
      return lacks.has(height) ? undefined : branch[height];
    },
    settledHeight: async () => undefined,
    mempool: async () => [...pool.keys()],
    transactions: async (txids) => txids.flatMap((txid) => pool.get(txid) ?? []),
    raw: async (txid) => pool.get(txid)?.raw?.(),
    saysOf: async (txid) => pool.get(txid),
    submit: async () => ({ isIn: true }),
    spenders: async (outpoints) =>
      [...pool.values()]
        .filter(({ inputs }) => inputs.some((each) => outpoints.includes(each)))
        .map(({ txid }) => txid),
    gone: async (outpoints) => {
      const there = [...branch.flatMap(({ transactions }) => transactions), ...pool.values()];
      const spent = new Set(there.flatMap(({ inputs, usedUp = [] }) => [...inputs, ...usedUp]));
      return outpoints.filter((each) => spent.has(each));
    },
    sendersOf: async () => [],
    doubt: async () => undefined,
  };
};

/** To one of our scripts. */
export const paymentTo = (script: string, txid: string): ChainTransaction => ({
  ...{ txid, inputs: [`${txid}-coin:0`], outputs: [{ vout: 0, script, amount: 70_000n }] },
  ...{ replaceable: false, isPegOut: false, senders: [], raw: () => '00' },
});
