import { IsInt, IsPositive } from 'class-validator';
import { Flag, Json, Num, Text, Word } from '#door/fields';
import { UncheckedWhenAbsent } from '#door/http';
import { IsText } from '#door/rules';
import { webhookEvents } from '#webhooks';
import { examplePayload } from '../openapi/webhooks/example-payload.ts';

/** Without the JSON content type neither field is there. */
@UncheckedWhenAbsent()
export class NewTestWebhookBody {
  @IsInt()
  @IsPositive()
  @Num('The casino whose endpoint is tried', 41)
  entity_id!: number;

  @IsText()
  @Word(webhookEvents, 'Name of an event', 'deposit.accepted')
  event?: string;
}

export class TestWebhookBody {
  @Text('Event sent', 'deposit.accepted')
  event!: string;

  @Text('Where it was sent', 'https://casino.example/hooks/deposits')
  url!: string;

  @Flag('Whether X-Webhook-Signature was sent', true)
  signed!: boolean;

  @Text.orNull('The signature sent', '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd')
  signature!: string | null;

  @Flag('true when the endpoint answered 2xx', true)
  delivered!: boolean;

  @Num.orNull('null: no answer came', 200)
  status_code!: number | null;

  @Num('How long the attempt took', 84)
  duration_ms!: number;

  @Text.orNull('First 500 characters of the answer', 'ok')
  response_excerpt!: string | null;

  @Text.orNull('Why no answer came; do not match its text', null)
  error!: string | null;

  @Json('Payload sent; its keys are not in the signed order', examplePayload('deposit.accepted'))
  payload!: object;
}
