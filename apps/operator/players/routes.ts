import type { DynamicModule } from '@nestjs/common';
import { routesOf } from '#door/http';
import type { Messages } from '#messages';
import { KycServiceController } from './kyc-service.controller.ts';
import { MessagesController } from './messages.controller.ts';
import { KYC, MESSAGES, type OperatedKyc } from './parts.ts';
import { PlayersController } from './players.controller.ts';

export type PlayersParts = {
  readonly kyc: OperatedKyc;
  readonly messages: Pick<Messages, 'list'>;
};

export const playerRoutes = ({ kyc, messages }: PlayersParts): DynamicModule =>
  routesOf([PlayersController, KycServiceController, MessagesController], {
    [KYC]: kyc,
    [MESSAGES]: messages.list,
  });
