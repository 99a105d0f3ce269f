import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { AuthenticateOperator } from '#partners';
import {
  OPERATOR_TRANSACTIONS,
  OperatorTransactionsController,
  type OperatorTransactionsParts,
} from './transactions.controller.ts';

type Parts = OperatorTransactionsParts & { readonly authenticateOperator: AuthenticateOperator };

/** What operators see of the older transactions and do about them. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class OperatorTransactionsModule {
  static with({ authenticateOperator, ...parts }: Parts): DynamicModule {
    return {
      module: OperatorTransactionsModule,
      controllers: [OperatorTransactionsController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: OPERATOR_TRANSACTIONS, useValue: parts },
      ],
    };
  }
}
