/** What only one transaction can ever spend: `txid:n` of an output, `sender:nonce` of an account. */
export type Outpoint = string;

/** As screening takes them. Of a payment of more coins than that it is not told where all of it comes from. */
export const MOST_SENDERS = 1_000;

/** Undefined of a coin that names nobody: one that a miner makes, or that is paid to a key or a script as such. */
export type Sender = string | undefined;

/** In the smallest unit of the coin. Of Ethereum `vout` 0 is what was sent, 1 the sum of what contracts passed on. */
export type ChainOutput = { readonly vout: number; readonly script: string; readonly amount: bigint };

/** What went out of an account within a transaction: of what it was paid, so much is no longer there. */
export type PassedOn = Pick<ChainOutput, 'script' | 'amount'>;

export type ChainTransaction = {
  readonly txid: string;
  readonly inputs: readonly Outpoint[];
  /** What is spent once it is in a block, whoever would have spent it; undefined where that is its inputs. */
  readonly usedUp?: readonly Outpoint[];
  readonly outputs: readonly ChainOutput[];
  /** By its calls; undefined where outputs are all there is. */
  readonly passedOn?: readonly PassedOn[];
  /** Whether an input says so (BIP-125); accounts have no such flag. */
  readonly replaceable: boolean;
  /** Coins that come out of where nobody can look: they have no sender. */
  readonly isPegOut: boolean;
  /** What a miner makes, and pays out with: it is in its block or nowhere. Accounts have no such transaction. */
  readonly isCoinbase?: boolean;
  /** Where the money comes from, as far as the transaction itself says. */
  readonly senders: readonly string[];
  /** As it is submitted again; undefined where the node has to be asked. */
  readonly raw: (() => string) | undefined;
  /** Why nothing but its name is known: its bytes are none of a transaction, or another's. */
  readonly unreadable?: string;
};

/** What nothing else can spend any more once it is in a block. */
export const spentBy = ({ inputs, usedUp = [] }: Pick<ChainTransaction, 'inputs' | 'usedUp'>): readonly Outpoint[] => [
  ...new Set([...inputs, ...usedUp]),
];

export type BlockTip = {
  readonly hash: string;
  readonly height: number;
  /** Seconds since 1970, as the block says. */
  readonly time: number;
  /** It says itself that it has more to fetch. */
  readonly isSyncing: boolean;
  /** Blocks below are no longer there. */
  readonly prunedBelow: number;
};

/** What a transaction added to an account by the state itself; undefined where fees or rewards are among it. */
export type Gain = {
  readonly txid: string;
  readonly script: string;
  readonly amount: bigint | undefined;
  /** The state contradicts what moved, and nothing tells which of them is right. */
  readonly isOpen?: boolean;
};

/** What came to an account with a block, and by none of its transactions; undefined where nobody says how much. */
export type Beside = { readonly script: string; readonly amount: bigint | undefined };

export type ChainBlock = {
  readonly hash: string;
  readonly parent: string;
  readonly time: number;
  readonly transactions: readonly ChainTransaction[];
  /** The second witness of what its transactions say; undefined where outputs are all there is. */
  readonly gains?: readonly Gain[];
  /** It pays nobody, and somebody may wait for it. */
  readonly beside?: readonly Beside[];
  /** Its bytes make its hash: whatever node has that shows the same. */
  readonly isProven?: boolean;
  /** Transactions whose calls no node tells: what they pay is by the state alone. */
  readonly byState?: readonly string[];
};

export type Submitted = { readonly isIn: true } | { readonly isIn: false; readonly reason: string };

/**
 * A node of a chain that the operator runs. Every read of a block is by its hash: a height names another block after a
 * reorganisation. A method throws `NodeUnreachable` when nothing answers, `NodeUnreadable` when nobody can read what does.
 */
export type ChainNode = {
  /** As operators see it: without its login. */
  readonly name: string;
  /** Refuses, with a sentence, a node of another network and one that lacks what is needed. */
  readonly check: () => Promise<string | undefined>;
  /** What others of its coin tell and it does not, with what helps, in a sentence that stays the same while it does. */
  readonly shortcoming: (head: BlockTip) => Promise<string | undefined>;
  readonly tip: () => Promise<BlockTip>;
  /** Of its best branch; undefined above its tip. */
  readonly hashAt: (height: number) => Promise<string | undefined>;
  /** What the header of a block of its best branch says, in seconds since 1970; undefined above its tip. */
  readonly timeAt: (height: number) => Promise<number | undefined>;
  /** Undefined when it does not have it. */
  readonly block: (hash: string) => Promise<ChainBlock | undefined>;
  /** The height up to which nothing is undone any more; undefined where the chain says no such thing. */
  readonly settledHeight: (tag: 'safe' | 'finalized') => Promise<number | undefined>;
  readonly mempool: () => Promise<readonly string[]>;
  /** Those of the mempool; what has left it meanwhile is not among them. */
  readonly transactions: (txids: readonly string[]) => Promise<readonly ChainTransaction[]>;
  /** Undefined where it does not have it: without an index a node has those alone that wait. */
  readonly raw: (txid: string) => Promise<string | undefined>;
  /** Whether it has that in its mempool, of Ethereum to be mined or in a block; undefined where whatever it has is there. */
  readonly hasWaiting?: (txid: string) => Promise<boolean>;
  /** What it says of one which it has, of Ethereum without what contracts pass on; absent where its name proves that. */
  readonly saysOf?: (txid: string) => Promise<ChainTransaction | undefined>;
  /**
   * What its own bytes say of one which it has, without what contracts pass on; undefined where it does not give them, or
   * nobody can read them. Absent where whatever waits is read by its bytes.
   */
  readonly provenBy?: (txid: string) => Promise<ChainTransaction | undefined>;
  /** What each transaction of a block names as its own to spend, where that takes less than the block; undefined when it does not have it. */
  readonly spending?: (hash: string) => Promise<readonly Pick<ChainTransaction, 'txid' | 'inputs'>[] | undefined>;
  /** The hash of the block in which a transaction came off, by its receipt; absent where none fails in a block. */
  readonly landed?: (txid: string) => Promise<string | undefined>;
  /** The hash of the block in which one came to nothing, by its receipt; absent likewise. */
  readonly failed?: (txid: string) => Promise<string | undefined>;
  readonly submit: (raw: string) => Promise<Submitted>;
  /** Which transactions of its mempool spend one of these; none where it cannot tell. */
  readonly spenders: (outpoints: readonly Outpoint[]) => Promise<readonly string[]>;
  /** Which of these nothing can spend there: what made them is not known, or a block has spent it; with most nodes also the mempool. */
  readonly gone: (outpoints: readonly Outpoint[]) => Promise<readonly Outpoint[]>;
  /** Addresses that a payment comes from; undefined among them where some of its coins name nobody, or are not told. */
  readonly sendersOf: (transaction: ChainTransaction, blockHash?: string) => Promise<readonly Sender[]>;
  /**
   * The same by the bytes of what it spends, whose hash is the name under which it spends them; undefined where the node does
   * not give all of those. Absent where nothing proves them, or the transaction says them itself.
   */
  readonly provenSendersOf?: (
    transaction: ChainTransaction,
    blockHash?: string,
  ) => Promise<readonly Sender[] | undefined>;
  /** Why one of the mempool may not be in one of the next blocks, in a sentence; undefined when it may be counted on. */
  readonly doubt: (transaction: ChainTransaction) => Promise<string | undefined>;
  /**
   * Whether one that no guard refuses may be counted on to be in the next block, as things are; else it is judged there.
   * Undefined where the guards tell that.
   */
  readonly mayComeNext?: (txid: string) => Promise<boolean>;
};
