import type pg from 'pg';
import { type AssignOutcome, type AssignRequest, assignAddress } from './create/address.ts';
import { createDeposit } from './create/create.ts';
import { createIdempotency } from './create/idempotency.ts';
import type { IssueDesk } from './create/issue-desk.ts';
import type { CreateOutcome } from './create/outcome.ts';
import type { CreateRequest } from './create/request.ts';
import {
  type AcceptOutcome,
  type AcceptRequest,
  accept,
  type FreezeOutcome,
  type FreezeRequest,
  freeze,
  type ReturnOutcome,
  type ReturnRequest,
  returnDeposit,
} from './decide/decisions.ts';
import {
  type ReleaseOutcome,
  type ReleaseRequest,
  type ReleaseSettlementOutcome,
  type ReleaseSettlementRequest,
  type ReviewOutcome,
  type ReviewRequest,
  releaseReturn,
  releaseSettlement,
  reviewKyt,
} from './decide/operators.ts';
import { createDesk, type DeskParts } from './desk.ts';
import { createIds, type GivenWhile, type Giving } from './ids.ts';
import { type ApplySignals, applySignals } from './signals.ts';

/** All that can be done to deposits. Each says what it came to; only faults are thrown. */
export type DepositCommands = {
  readonly create: (request: CreateRequest) => Promise<CreateOutcome>;
  readonly accept: (request: AcceptRequest) => Promise<AcceptOutcome>;
  readonly return: (request: ReturnRequest) => Promise<ReturnOutcome>;
  readonly freeze: (request: FreezeRequest) => Promise<FreezeOutcome>;
  readonly reviewKyt: (request: ReviewRequest) => Promise<ReviewOutcome>;
  readonly releaseReturn: (request: ReleaseRequest) => Promise<ReleaseOutcome>;
  readonly releaseSettlement: (request: ReleaseSettlementRequest) => Promise<ReleaseSettlementOutcome>;
  readonly assignAddress: (request: AssignRequest) => Promise<AssignOutcome>;
  readonly applySignals: ApplySignals;
  readonly pruneIdempotencyKeys: () => Promise<void>;
};

export type DepositCommandsParts = Omit<DeskParts, 'ids'> &
  Pick<
    IssueDesk,
    | 'bodyKey'
    | 'isEnabled'
    | 'isReturningPlayer'
    | 'casino'
    | 'checkPlayer'
    | 'takeAddress'
    | 'takeAddressWithin'
    | 'ofacDeadlineSeconds'
    | 'addressWaitMs'
  > & {
    readonly pool: pg.Pool;
    readonly giving?: Giving;
    /** Default: always. */
    readonly givenWhile?: GivenWhile;
    /** Default: nobody has to know. */
    readonly onForeignDeposit?: IssueDesk['onForeignDeposit'];
    /** Default: nobody has to know. */
    readonly onRepeat?: IssueDesk['onRepeat'];
  };

export const openDepositCommands = ({
  pool,
  giving = (take) => take(),
  givenWhile,
  onForeignDeposit = () => undefined,
  onRepeat = async () => undefined,
  ...parts
}: DepositCommandsParts): DepositCommands => {
  const ids = createIds(pool, giving, givenWhile);
  const desk: IssueDesk = {
    ...parts,
    ...createDesk({ ...parts, ids }),
    onForeignDeposit,
    onRepeat,
    idempotency: createIdempotency(pool, ids),
  };
  return {
    create: (request) => createDeposit(desk, request),
    accept: (request) => accept(desk, request),
    return: (request) => returnDeposit(desk, request),
    freeze: (request) => freeze(desk, request),
    reviewKyt: (request) => reviewKyt(desk, request),
    releaseReturn: (request) => releaseReturn(desk, request),
    releaseSettlement: (request) => releaseSettlement(desk, request),
    assignAddress: (request) => assignAddress(desk, request),
    applySignals: (...asked) => applySignals(desk, ...asked),
    pruneIdempotencyKeys: desk.idempotency.prune,
  };
};
