import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsNumber, Max, Min } from 'class-validator';
import { IsHttpUrl, IsText, Optional, OptionalOrNull } from '#door/rules';

export class WebhookSettingsBody {
  @IsHttpUrl()
  @ApiProperty({
    type: String,
    description: 'Delivery URL, http or https',
    example: 'https://casino.example/hooks/deposits',
  })
  url!: string;

  @OptionalOrNull()
  @IsText({ min: 1, max: 1024 })
  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'Left out: the one it has is kept, a new webhook gets one',
  })
  secret?: string | null;

  @Optional()
  @IsBoolean()
  @ApiProperty({ type: Boolean, required: false, description: 'false: no secret, deliveries are unsigned' })
  signed?: boolean;
}

export class WebhookBody {
  @ApiProperty({ type: String, description: 'Delivery URL', example: 'https://casino.example/hooks/deposits' })
  url!: string;

  @ApiProperty({ type: Boolean, description: 'true when deliveries carry X-Webhook-Signature', example: true })
  signed!: boolean;
}

export const DAY_S = 24 * 3600;
const YEAR_S = 366 * 24 * 3600;

export class NewRotationBody {
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(YEAR_S)
  @ApiProperty({
    type: Number,
    required: false,
    default: DAY_S,
    description: 'How long the old secret stays valid; 0 ends it, and every overlap that is running, at once',
    example: 3600,
  })
  overlap_s?: number;
}

export class RotationBody {
  @ApiProperty({ type: String, description: 'Shown this once', example: 'kZ2v…' })
  webhook_secret!: string;
}
