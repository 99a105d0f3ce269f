import { Command } from '@nestjs/cqrs';
import type { EngineSignal } from '#deposits';
import type { Created } from '../create/create.ts';
import type { CreateRequest } from '../create/request.ts';
import type {
  AcceptRequest,
  FreezeRequest,
  ReleaseRequest,
  ReturnRequest,
  ReviewRequest,
} from '../decide/decisions.ts';
import type { Decided } from '../decided.ts';
import type { SignalResult } from '../signals.ts';

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
};

export class CreateDeposit extends Requested<CreateRequest, Created> {}
export class AcceptDeposit extends Requested<AcceptRequest, Decided> {}
export class ReturnDeposit extends Requested<ReturnRequest, Decided> {}
export class FreezeDeposit extends Requested<FreezeRequest, Decided> {}
export class ReviewKyt extends Requested<ReviewRequest, Decided> {}
export class ReleaseReturn extends Requested<ReleaseRequest, Decided> {}
export class ApplySignals extends Requested<SignalsRequest, readonly SignalResult[]> {}
