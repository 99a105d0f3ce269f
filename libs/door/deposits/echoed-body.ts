import { ApiProperty } from '@nestjs/swagger';
import type { EchoedView } from '#deposits';
import { IsText, Optional } from '../rules/index.ts';

/** Of a create request: what is only shown again, on reads and webhooks. */
export class EchoedAskedBody implements Partial<EchoedView> {
  @ApiProperty({
    type: String,
    maxLength: 64,
    required: false,
    description: 'Shown again on reads and webhooks',
    example: 'terminal-4',
  })
  @Optional()
  @IsText({ max: 64 })
  machine_id?: string;
}

/** On reads and webhooks. */
export class EchoedBody implements EchoedView {
  @ApiProperty({ type: String, nullable: true, description: 'As sent at creation', example: 'terminal-4' })
  machine_id!: string | null;
}
