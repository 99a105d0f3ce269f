import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { AUTHENTICATE } from '../parts.ts';
import { TEST_WEBHOOK, type TestWebhookParts } from './parts.ts';
import { TestWebhookController } from './test-webhook.controller.ts';

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class TestWebhookModule {
  static with(parts: TestWebhookParts): DynamicModule {
    return {
      module: TestWebhookModule,
      controllers: [TestWebhookController],
      providers: [
        { provide: AUTHENTICATE, useValue: parts.partners.authenticate },
        { provide: AUTHENTICATE_OPERATOR, useValue: parts.partners.authenticateOperator },
        { provide: TEST_WEBHOOK, useValue: parts },
      ],
    };
  }
}
