import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { AuthenticateOperator } from '#partners';
import { KeptSignalsController } from './kept-signals.controller.ts';
import { LIST_RETURNS, LIST_SIGNALS, type ListReturns, type ListSignals } from './parts.ts';
import { ReturnsController } from './returns.controller.ts';

export type EngineRecordsParts = {
  readonly authenticateOperator: AuthenticateOperator;
  readonly listSignals: ListSignals;
  readonly listReturns: ListReturns;
};

/** What operators see of the payment engine: the signals that it took, the returns that it sends. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class EngineRecordsModule {
  static with({ authenticateOperator, listSignals, listReturns }: EngineRecordsParts): DynamicModule {
    return {
      module: EngineRecordsModule,
      controllers: [KeptSignalsController, ReturnsController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: LIST_SIGNALS, useValue: listSignals },
        { provide: LIST_RETURNS, useValue: listReturns },
      ],
    };
  }
}
