import type { OpenAPIObject } from '@nestjs/swagger';

type Parameters = NonNullable<NonNullable<OpenAPIObject['components']>['parameters']>;

const HEX = '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd';

/** What a delivery carries beside its body. */
export const webhookParameters = {
  'X-Webhook-Id': {
    name: 'X-Webhook-Id',
    in: 'header',
    required: true,
    description: 'The same on every attempt of the same event: drop what you have had',
    schema: { type: 'string', format: 'uuid' },
    example: '5f0a7e5e-3b1c-8a52-9d0e-6f1d2c3b4a59',
  },
  'X-Webhook-Timestamp': {
    name: 'X-Webhook-Timestamp',
    in: 'header',
    required: true,
    description: 'Unix seconds of this attempt',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1767225840',
  },
  'X-Webhook-Signature': {
    name: 'X-Webhook-Signature',
    in: 'header',
    required: false,
    description:
      'When the webhook is signed: lower-case hex HMAC-SHA256 of the raw body, keyed with the UTF-8 text of the webhook secret. Check it over the bytes as they came, never over a body that was parsed and written again',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: HEX,
  },
  'X-Webhook-Signature-Previous': {
    name: 'X-Webhook-Signature-Previous',
    in: 'header',
    required: false,
    description: 'After a rotation, until its overlap ends: the same with the secret before',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: HEX,
  },
  'X-Webhook-Test': {
    name: 'X-Webhook-Test',
    in: 'header',
    required: false,
    description: 'On test events alone: such an event must not credit anyone',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
} as const satisfies Parameters;
