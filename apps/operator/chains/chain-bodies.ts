import { List, Nested, Num, SentId, Text, Time, Word } from '#door/fields';
import { type Ticker, tickers } from '#money';

const nodeStates = ['ok', 'unreachable', 'wrong', 'syncing', 'stale', 'pruned', 'elsewhere', 'unasked'] as const;

export class ChainNodeBody {
  @Text('Where it is, without its login', '127.0.0.1:8332')
  name!: string;

  @Word(
    nodeStates,
    'Only an ok one confirms payments; elsewhere: it is on another branch; unasked: no watcher runs',
    'ok',
  )
  state!: string;

  @Text.orNull('What is wrong with it; of an ok one, what none of its coin tells that is well', null)
  problem!: string | null;

  @Num.orNull('Of its newest block', 860_123)
  height!: number | null;

  @Text.orNull('Of its newest block', null)
  hash!: string | null;

  @Time.orNull('What its newest block says', '2026-11-21T14:00:00.000Z')
  head_at!: string | null;

  @Time('When it was asked last', '2026-11-21T14:00:00.000Z')
  asked_at!: string;

  @Time('Since when it is in this state', '2026-11-21T14:00:00.000Z')
  since!: string;
}

export class HeldBody {
  @Text('What keeps the chain from going on', 'no node gives block 860124: 127.0.0.1:8332 has not got it')
  reason!: string;

  @Time('Since when', '2026-11-21T14:00:00.000Z')
  since!: string;
}

export class ChainBody {
  @Word(tickers, 'Which coin', 'BTC')
  currency!: Ticker;

  @Num.orNull('Of the block that was applied last; null: the chain has not begun to be watched', 860_123)
  height!: number | null;

  @Text.orNull('Of the block that was applied last', '00000000000000000001c8a3f5e54bb4ddc9ab5c3c4a1b8d5e2f7c6a9b0d1e2f')
  hash!: string | null;

  @Time.orNull('What that block says', '2026-11-21T14:00:00.000Z')
  block_time!: string | null;

  @Time.orNull('When it was applied', '2026-11-21T14:00:00.000Z')
  moved_at!: string | null;

  @Num.orNull('Up to this block everything was read a second time', 860_118)
  audited_height!: number | null;

  @Nested.orNull(HeldBody, 'null: nothing is in the way')
  held!: HeldBody | null;

  @Num('Payments in no block', 3)
  waiting!: number;

  @Num('Payments in a block, not deep enough', 2)
  unconfirmed!: number;

  @Num('What happened and is not told to the engine yet', 0)
  unsent!: number;

  @Num('Ranges that are yet to be read again', 0)
  rescans!: number;

  @List(ChainNodeBody, 'Those of the settings')
  nodes!: ChainNodeBody[];
}

export class ChainsBody {
  @List(ChainBody, 'Those that are watched')
  chains!: ChainBody[];
}

export class NewRescanBody {
  @SentId('The first block that is read again', 860_000)
  from_height!: number;

  @SentId('The last one', 860_100)
  to_height!: number;
}

export class RescanBody {
  @Num('Of the rescan', 1)
  id!: number;

  @Text('Which coin', 'BTC')
  currency!: string;
}

const rescanStates = ['open', 'done', 'taken_back'] as const;

export class RescanReportBody {
  @Num('Of the rescan', 1)
  id!: number;

  @Word(tickers, 'Which coin', 'BTC')
  currency!: Ticker;

  @Num('The first block that is read again', 860_000)
  from_height!: number;

  @Num('The last one', 860_100)
  to_height!: number;

  @Num('The block that is read next', 860_042)
  next_height!: number;

  @Num('Payments that were missing', 1)
  found!: number;

  @Num('Blocks that were passed, since no node has them', 0)
  passed!: number;

  @Text.orNull('Why the first of those was passed', null)
  problem!: string | null;

  @Word(rescanStates, 'taken_back: an operator ended it', 'open')
  state!: (typeof rescanStates)[number];

  @Text.orNull(
    'What the chain is held by while this is open; where nodes are on another branch nothing is read again',
    null,
  )
  held!: string | null;

  @Time('When it was asked for', '2026-11-21T14:00:00.000Z')
  asked_at!: string;

  @Time.orNull('When it ended; null: it has not yet', null)
  done_at!: string | null;
}

export class RescansBody {
  @List(RescanReportBody, 'Newest first')
  rescans!: RescanReportBody[];
}
