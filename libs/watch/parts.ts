import type pg from 'pg';
import type { ChainNode, ChainTransaction } from '#chains';
import type { Logger } from '#platform/logging';
import type { WatchedChain } from './chain.ts';
import type { Failing } from './nodes/failing.ts';
import type { Lately } from './nodes/lately.ts';
import type { LeftOut } from './nodes/left-out.ts';
import type { Look } from './nodes/look.ts';
import type { Silent } from './nodes/silent.ts';

/** Whom an address was given to: one of the two. */
export type Owner = { readonly depositId: number | null; readonly transactionId: number | null };

/** What following a chain needs of the house. */
export type WatchParts = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly chain: WatchedChain;
  /** Whether a deposit may count unconfirmed, so that its payments are judged. */
  readonly isFast: (depositId: number) => Promise<boolean>;
  /** When a deposit, or a transaction of the older interface, got its address; undefined where nobody has that number. */
  readonly issuedAt?: (owner: Owner) => Promise<Date | undefined>;
  /** Before, whatever was paid was told by another engine; undefined where that is not known. */
  readonly liveSince?: () => Promise<Date | undefined>;
  /** Every transaction is replaceable in practice: refuse lets none count unconfirmed. */
  readonly fullRbf: 'allow' | 'refuse';
  /** How long as many nodes as have to agree refuse a payment that vanished before it is given up. Default 2 h. */
  readonly dropAfterMs?: number;
  readonly now?: () => Date;
};

/** What the newest blocks spend, by their hash: a node that crashed may know less of what it gave up. */
export type RecentBlocks = Map<string, readonly Pick<ChainTransaction, 'txid' | 'inputs' | 'usedUp'>[]>;

/** Since when something is asked in vain, and how often it was. */
export type InVain = Map<string, { readonly since: number; readonly tries: number }>;

/** What waits at the node that is read, and too few others have for it to be seen. */
export type Lacked = {
  /** When it came. */
  readonly since: number;
  /** When the node that is read gave it last. */
  givenAt: number;
  /** Each time that it is refused it is sent again after twice as long. */
  sentAt: number;
  refusals: number;
  /** Of what it leans on, what each node has been sent since it was last sent whole. */
  readonly offered: Map<ChainNode, Set<string>>;
  /** By one that was well and has not got it: when it came is the word of the node that is read alone. */
  isRefused: boolean;
  /** How often a node hung at it, and until when nobody is asked about it for that. */
  hangs: number;
  restsUntil: number;
  isToldOf: boolean;
};

export type Few = {
  readonly waiting: Map<string, Lacked>;
  /** From whom an answer is still to come that nobody waits for, and who gave none and is asked nothing until then. */
  readonly pending: Set<ChainNode>;
  readonly leftOut: LeftOut;
  /** How often one did. */
  hung: number;
  /** What the turn has taken that asks with this. */
  spent: { readonly by: Silent | undefined; readonly ms: number };
  restsUntil: number;
};

/** Where payments come from that no node tells, or too few: of blocks by their hash, of what waits by its id. */
export type Untold = {
  readonly few: Few;
  readonly blocks: InVain;
  readonly waiting: InVain;
  /**
   * For whom a block was held in vain: how often in a row they have to tell all that they are asked of a block, or of some
   * that waits, before one is held for them again, and how often they did. Twice as often each time.
   */
  readonly heldFor: Map<ChainNode, { readonly owed: number; readonly told: number }>;
  /** What payments lean on, as far as a slow node gave it, by the name of that node and their id. */
  readonly begun: Map<string, Map<string, Map<string, ChainTransaction>>>;
  /** What nodes had, or were sent, of what a payment leans on that is sent again, until all of that was offered to each. */
  readonly offers: Map<string, Pick<Lacked, 'offered'>>;
  /** Which payments lean on what the node that is read does not give, and since when. */
  readonly awaited: Map<string, { readonly since: number; isToldOf: boolean }>;
};

/** Which payments it would end, of what waits at the node that is read and too few nodes have. */
export type Rivals = Map<string, ReadonlySet<string>>;

/** Of what waits at the node that is read and was not looked at yet, since when each other one lists it. */
export type ListedSince = Map<ChainNode, ReadonlyMap<string, Date>>;

/** What a node shows that one of its blocks pays of ours, which payments it ends and by what, and when it said so. */
export type Shown = {
  readonly keys: ReadonlySet<string>;
  readonly ends: ReadonlyMap<string, string>;
  readonly at: number;
};

/** What nodes showed of the newest blocks, and what each is asked now: tracing one may take a node some seconds. */
export type ShownBlocks = {
  readonly known: Map<string, Shown>;
  readonly asked: Map<ChainNode, { readonly hash: string; readonly answer: Promise<Shown | undefined> }>;
  /** Which of them nodes refused: when, how often, and how long they are asked no more. */
  readonly refused: Map<string, { readonly at: number; readonly tries: number; readonly restMs: number }>;
  /** Payments that too few showed for long, and of which that was told. */
  readonly toldOf: Set<number>;
  /** Who has said what a block spends, by its hash. */
  readonly spendingBy: Map<string, Set<ChainNode>>;
  /** What nodes said that transactions of a block name as their own, where more was not to be had of it. */
  readonly own: Map<string, readonly Pick<ChainTransaction, 'txid' | 'inputs'>[]>;
};

/** One turn, on the node that it is read from. */
export type Turn = WatchParts & {
  readonly node: ChainNode;
  /** That may be read too, the best first. */
  readonly others: readonly ChainNode[];
  /** All nodes, as they were found. */
  readonly looks: readonly Look[];
  readonly lately: Lately;
  readonly failing: Failing;
  readonly silent: Silent;
  /** That did not answer in this turn what a block pays, which is long to tell of some: they go on counting. */
  readonly reticent: Set<ChainNode>;
  /** That did not answer in this turn where a payment comes from, likewise: what a block pays they are asked all the same. */
  readonly mute: Set<ChainNode>;
  /** That did not answer in this turn what a block pays, each time for half a minute: others are asked while they are enough. */
  readonly hanging: Set<ChainNode>;
  readonly stopping: AbortSignal;
  readonly recent: RecentBlocks;
  readonly untold: Untold;
  readonly rivals: Rivals;
  readonly listed: ListedSince;
  readonly shown: ShownBlocks;
};

/** The same turn, with this node asked first. */
export const askedFirst = (turn: Turn, node: ChainNode): Turn => ({
  ...turn,
  node,
  others: [turn.node, ...turn.others].filter((each) => each !== node),
});

export const timeOf = ({ now = () => new Date() }: Pick<WatchParts, 'now'>): Date => now();

/** The next block is not applied, and nothing behind it, until somebody or something has put this right. */
export class ChainHeld extends Error {
  override readonly name = 'ChainHeld';
  /** A node that may have it did not answer: that is told when it stays so. */
  readonly mayPass: boolean;

  constructor(message: string, mayPass = false) {
    super(message);
    this.mayPass = mayPass;
  }
}

/** The node that is read alone says so, or speaks against itself: that is no word on the chain, and another is read. */
export class SaidByOne extends ChainHeld {
  constructor(message: string) {
    super(message, true);
  }
}

/** The node that is read is on another branch than the applied one, and that is not given up. */
export class Parted extends ChainHeld {}
