import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import { AUTHENTICATE } from '../parts.ts';
import { TEST_WEBHOOK, type TestWebhookParts } from './parts.ts';
import { TestWebhookController } from './test-webhook.controller.ts';

export const testWebhookRoutes = (parts: TestWebhookParts): DynamicModule =>
  routesOf([TestWebhookController], {
    [AUTHENTICATE]: parts.partners.authenticate,
    [AUTHENTICATE_OPERATOR]: parts.partners.authenticateOperator,
    [TEST_WEBHOOK]: parts,
  });
