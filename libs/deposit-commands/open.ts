import type pg from 'pg';
import { assignAddress } from './create/address.ts';
import { type Created, createDeposit } from './create/create.ts';
import { createIdempotency } from './create/idempotency.ts';
import type { IssueDesk } from './create/issue-desk.ts';
import type { CreateRequest } from './create/request.ts';
import {
  type AcceptRequest,
  accept,
  type FreezeRequest,
  freeze,
  type ReleaseRequest,
  type ReturnRequest,
  type ReviewRequest,
  releaseReturn,
  returnDeposit,
  reviewKyt,
} from './decide/decisions.ts';
import type { Decided } from './decided.ts';
import { createDesk, type DeskParts } from './desk.ts';
import { createIds } from './ids.ts';
import { type ApplySignals, applySignals } from './signals.ts';

/** All that can be done to deposits. Refusals are thrown as the interface shows them. */
export type DepositCommands = {
  readonly create: (request: CreateRequest) => Promise<Created>;
  readonly accept: (request: AcceptRequest) => Promise<Decided>;
  readonly return: (request: ReturnRequest) => Promise<Decided>;
  readonly freeze: (request: FreezeRequest) => Promise<Decided>;
  readonly reviewKyt: (request: ReviewRequest) => Promise<Decided>;
  readonly releaseReturn: (request: ReleaseRequest) => Promise<Decided>;
  /** For a deposit that found the pool empty; false when it needs this address no more. */
  readonly assignAddress: (depositId: number, address: string) => Promise<boolean>;
  readonly applySignals: ApplySignals;
  readonly pruneIdempotencyKeys: () => Promise<void>;
};

export type DepositCommandsParts = Omit<DeskParts, 'ids'> &
  Pick<
    IssueDesk,
    | 'isEnabled'
    | 'isReturningPlayer'
    | 'casino'
    | 'checkPlayer'
    | 'takeAddress'
    | 'takeAddressWithin'
    | 'ofacDeadlineSeconds'
    | 'addressWaitMs'
  > & { readonly pool: pg.Pool };

export const openDepositCommands = ({ pool, ...parts }: DepositCommandsParts): DepositCommands => {
  const ids = createIds(pool);
  const desk: IssueDesk = {
    ...parts,
    ...createDesk({ ...parts, ids }),
    idempotency: createIdempotency(pool, ids),
  };
  return {
    create: (request) => createDeposit(desk, request),
    accept: (request) => accept(desk, request),
    return: (request) => returnDeposit(desk, request),
    freeze: (request) => freeze(desk, request),
    reviewKyt: (request) => reviewKyt(desk, request),
    releaseReturn: (request) => releaseReturn(desk, request),
    assignAddress: (depositId, address) => assignAddress(desk, depositId, address, 'address pool'),
    applySignals: (depositId, signals, actor) => applySignals(desk, depositId, signals, actor),
    pruneIdempotencyKeys: desk.idempotency.prune,
  };
};
