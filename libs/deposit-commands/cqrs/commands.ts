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

export class CreateDeposit extends Command<Created> {
  readonly request: CreateRequest;

  constructor(request: CreateRequest) {
    super();
    this.request = request;
  }
}

export class AcceptDeposit extends Command<Decided> {
  readonly request: AcceptRequest;

  constructor(request: AcceptRequest) {
    super();
    this.request = request;
  }
}

export class ReturnDeposit extends Command<Decided> {
  readonly request: ReturnRequest;

  constructor(request: ReturnRequest) {
    super();
    this.request = request;
  }
}

export class FreezeDeposit extends Command<Decided> {
  readonly request: FreezeRequest;

  constructor(request: FreezeRequest) {
    super();
    this.request = request;
  }
}

export class ReviewKyt extends Command<Decided> {
  readonly request: ReviewRequest;

  constructor(request: ReviewRequest) {
    super();
    this.request = request;
  }
}

export class ReleaseReturn extends Command<Decided> {
  readonly request: ReleaseRequest;

  constructor(request: ReleaseRequest) {
    super();
    this.request = request;
  }
}

export type SignalsRequest = {
  readonly depositId: number;
  readonly signals: readonly EngineSignal[];
  readonly actor: string;
};

export class ApplySignals extends Command<readonly SignalResult[]> {
  readonly request: SignalsRequest;

  constructor(request: SignalsRequest) {
    super();
    this.request = request;
  }
}
