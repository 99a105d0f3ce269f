import { Body, Inject, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiParam } from '@nestjs/swagger';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes } from '#door/access';
import { accountErrors } from '#door/errors';
import { Described } from '#door/openapi';
import { type Accounts, actorOf, type Operator } from '#partners';
import { idIn } from '../../http/ids.ts';
import { changed } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import { DAY_S, NewRotationBody, RotationBody } from './webhook-bodies.ts';

@OperatorRoutes('operator', 'Accounts', 'admin')
export class WebhookSecretsController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Post('entities/:id/webhook-secret')
  @Dangerous()
  @Described('rotateEntityWebhookSecret', 'A new secret for the webhooks of a casino')
  @ApiParam({ name: 'id', type: 'integer', description: 'Of the casino, or of the API key' })
  @ApiCreatedResponse({ type: RotationBody })
  @OperatorErrors(
    accountErrors.invalidId('Entity'),
    accountErrors.notFound('Entity'),
    accountErrors.noWebhookToSign('Entity'),
    accountErrors.tooManyOverlaps(8),
  )
  async ofEntity(@Actor() operator: Operator, @Param('id') id: string, @Body() { overlap_s }: NewRotationBody) {
    const rotation = { table: 'entities', id: idIn('Entity', id), overlapS: overlap_s ?? DAY_S } as const;
    return { webhook_secret: changed(await this.accounts.rotateWebhookSecret(actorOf(operator), rotation)) };
  }

  @Post('api-keys/:id/webhook-secret')
  @Dangerous()
  @Described('rotateApiKeyWebhookSecret', 'A new secret for the webhooks of an API key')
  @ApiParam({ name: 'id', type: 'integer', description: 'Of the casino, or of the API key' })
  @ApiCreatedResponse({ type: RotationBody })
  @OperatorErrors(
    accountErrors.invalidId('API key'),
    accountErrors.notFound('API key'),
    accountErrors.noWebhookToSign('API key'),
    accountErrors.tooManyOverlaps(8),
  )
  async ofApiKey(@Actor() operator: Operator, @Param('id') id: string, @Body() { overlap_s }: NewRotationBody) {
    const rotation = { table: 'api_keys', id: idIn('API key', id), overlapS: overlap_s ?? DAY_S } as const;
    return { webhook_secret: changed(await this.accounts.rotateWebhookSecret(actorOf(operator), rotation)) };
  }
}
