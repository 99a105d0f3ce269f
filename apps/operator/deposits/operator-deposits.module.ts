import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { AuthenticateOperator } from '#partners';
import { OperatorDepositsController } from './deposits.controller.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { SettlementsController } from './settlements.controller.ts';

export type OperatorDepositsModuleParts = OperatorDepositsParts & {
  readonly authenticateOperator: AuthenticateOperator;
};

/** What operators see of deposits and decide about them. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class OperatorDepositsModule {
  static with({ authenticateOperator, ...parts }: OperatorDepositsModuleParts): DynamicModule {
    return {
      module: OperatorDepositsModule,
      controllers: [OperatorDepositsController, SettlementsController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: OPERATOR_DEPOSITS, useValue: parts },
      ],
    };
  }
}
