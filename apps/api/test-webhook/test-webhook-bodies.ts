import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsPositive } from 'class-validator';
import { UncheckedWhenAbsent } from '#door/http';
import { IsText } from '#door/rules';
import { webhookEvents } from '#webhooks';
import { examplePayload } from '../openapi/webhooks/example-payload.ts';

/** Without the JSON content type neither field is there. */
@UncheckedWhenAbsent()
export class NewTestWebhookBody {
  @IsInt()
  @IsPositive()
  @ApiProperty({ type: Number, description: 'The casino whose endpoint is tried', example: 41 })
  entity_id!: number;

  @IsText()
  @ApiProperty({ type: String, enum: webhookEvents, description: 'Name of an event', example: 'deposit.accepted' })
  event?: string;
}

export class TestWebhookBody {
  @ApiProperty({ type: String, description: 'Event sent', example: 'deposit.accepted' })
  event!: string;

  @ApiProperty({ type: String, description: 'Where it was sent', example: 'https://casino.example/hooks/deposits' })
  url!: string;

  @ApiProperty({ type: Boolean, description: 'Whether X-Webhook-Signature was sent', example: true })
  signed!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The signature sent',
    example: '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  })
  signature!: string | null;

  @ApiProperty({ type: Boolean, description: 'true when the endpoint answered 2xx', example: true })
  delivered!: boolean;

  @ApiProperty({ type: Number, nullable: true, description: 'null: no answer came', example: 200 })
  status_code!: number | null;

  @ApiProperty({ type: Number, description: 'How long the attempt took', example: 84 })
  duration_ms!: number;

  @ApiProperty({ type: String, nullable: true, description: 'First 500 characters of the answer', example: 'ok' })
  response_excerpt!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why no answer came; do not match its text',
    example: null,
  })
  error!: string | null;

  @ApiProperty({
    type: Object,
    description: 'Payload sent; its keys are not in the signed order',
    example: examplePayload('deposit.accepted'),
  })
  payload!: object;
}
