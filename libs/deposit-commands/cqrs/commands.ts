import { Command } from '@nestjs/cqrs';
import type { EngineSignal } from '#deposits';
import type { AssignOutcome, AssignRequest } from '../create/address.ts';
import type { CreateOutcome } from '../create/outcome.ts';
import type { CreateRequest } from '../create/request.ts';
import type {
  AcceptOutcome,
  AcceptRequest,
  FreezeOutcome,
  FreezeRequest,
  ReturnOutcome,
  ReturnRequest,
} from '../decide/decisions.ts';
import type {
  ReleaseOutcome,
  ReleaseRequest,
  ReleaseSettlementOutcome,
  ReleaseSettlementRequest,
  ReviewOutcome,
  ReviewRequest,
} from '../decide/operators.ts';
import type { SignalResult } from '../signals-in-order.ts';

abstract class Requested<Request, Result> extends Command<Result> {
  readonly request: Request;

  constructor(request: Request) {
    super();
    this.request = request;
  }
}

export type SignalsRequest = {
  readonly depositId: number;
  readonly signals: readonly EngineSignal[];
  readonly actor: string;
  readonly until: number | undefined;
};

export class CreateDeposit extends Requested<CreateRequest, CreateOutcome> {}
export class AcceptDeposit extends Requested<AcceptRequest, AcceptOutcome> {}
export class ReturnDeposit extends Requested<ReturnRequest, ReturnOutcome> {}
export class FreezeDeposit extends Requested<FreezeRequest, FreezeOutcome> {}
export class ReviewKyt extends Requested<ReviewRequest, ReviewOutcome> {}
export class ReleaseReturn extends Requested<ReleaseRequest, ReleaseOutcome> {}
export class ReleaseSettlement extends Requested<ReleaseSettlementRequest, ReleaseSettlementOutcome> {}
export class AssignAddress extends Requested<AssignRequest, AssignOutcome> {}
export class ApplySignals extends Requested<SignalsRequest, readonly SignalResult[]> {}
