import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { Messages } from '#messages';
import type { AuthenticateOperator } from '#partners';
import { KycServiceController } from './kyc-service.controller.ts';
import { MessagesController } from './messages.controller.ts';
import { KYC, MESSAGES, type OperatedKyc } from './parts.ts';
import { PlayersController } from './players.controller.ts';

export type PlayersParts = {
  readonly authenticateOperator: AuthenticateOperator;
  readonly kyc: OperatedKyc;
  readonly messages: Pick<Messages, 'list'>;
};

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class PlayersModule {
  static with({ authenticateOperator, kyc, messages }: PlayersParts): DynamicModule {
    return {
      module: PlayersModule,
      controllers: [PlayersController, KycServiceController, MessagesController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: KYC, useValue: kyc },
        { provide: MESSAGES, useValue: messages.list },
      ],
    };
  }
}
