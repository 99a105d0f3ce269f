import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
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

export const playerRoutes = ({ authenticateOperator, kyc, messages }: PlayersParts): DynamicModule =>
  routesOf([PlayersController, KycServiceController, MessagesController], {
    [AUTHENTICATE_OPERATOR]: authenticateOperator,
    [KYC]: kyc,
    [MESSAGES]: messages.list,
  });
