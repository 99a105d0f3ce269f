import { ApiProperty } from '@nestjs/swagger';
import { webhookEvents } from '#webhooks';

/** Fields that several payloads have. */
export const EventName = () =>
  ApiProperty({ type: String, enum: webhookEvents, description: 'Name of the event', example: 'deposit.accepted' });

export const Timestamp = () =>
  ApiProperty({ type: 'integer', description: 'When it happened, in Unix seconds', example: 1767225840 });

export const TestMark = () =>
  ApiProperty({
    type: Boolean,
    enum: [true],
    required: false,
    description: 'On test events alone, absent otherwise: such an event must not credit anyone',
  });

export const DecisionTime = () =>
  ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When it was decided',
    example: '2026-01-01T00:04:00.000Z',
  });

export const Address = () =>
  ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the player pays; null while the deposit has no address',
    example: 'bc1q-the-address-of-this-deposit',
  });

export const NoConf = () =>
  ApiProperty({ type: Boolean, description: 'Created with no_conf or instant', example: false });
