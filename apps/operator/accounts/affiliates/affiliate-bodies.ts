import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsObject, ValidateNested } from 'class-validator';
import { PageBody } from '#door/lists';
import { IsText, Optional, OptionalOrNull } from '#door/rules';
import { legacyCurrencies, tickers } from '#money';
import { affiliateStatuses } from '#partners';

export class LegacySettingsBody {
  @OptionalOrNull()
  @IsText({ max: 255 })
  @ApiProperty({
    type: String,
    description: 'Where the partner sells',
    nullable: true,
    required: false,
    example: 'northern',
  })
  subdomain?: string | null;

  @OptionalOrNull()
  @IsText({ max: 2048 })
  @ApiProperty({
    type: String,
    description: 'URL of an image',
    nullable: true,
    required: false,
    example: 'https://northern.example/logo.png',
  })
  logo?: string | null;

  @OptionalOrNull()
  @IsIn(legacyCurrencies)
  @ApiProperty({
    type: String,
    description: 'Which is shown first',
    enum: legacyCurrencies,
    nullable: true,
    required: false,
    example: 'BTC',
  })
  default_coin?: string | null;

  @OptionalOrNull()
  @IsArray()
  @IsIn(legacyCurrencies, { each: true })
  @ApiProperty({
    type: [String],
    description: 'Which it offers',
    enum: legacyCurrencies,
    nullable: true,
    required: false,
    example: ['BTC', 'LTC'],
  })
  cryptos?: string[] | null;
}

class AffiliateFields {
  @OptionalOrNull()
  @IsArray()
  @IsIn(tickers, { each: true })
  @ApiProperty({ type: [String], enum: tickers, required: false, description: 'Default: all' })
  currencies?: string[] | null;

  @Optional()
  @IsIn(affiliateStatuses)
  @ApiProperty({
    type: String,
    description: 'disabled, archived: its keys are refused with 403',
    enum: affiliateStatuses,
    required: false,
    default: 'enabled',
  })
  status?: (typeof affiliateStatuses)[number];

  @OptionalOrNull()
  @IsObject()
  @ValidateNested()
  @Type(() => LegacySettingsBody)
  @ApiProperty({ type: LegacySettingsBody, nullable: true, required: false, description: 'For the older interface' })
  legacy?: LegacySettingsBody | null;
}

export class NewAffiliateBody extends AffiliateFields {
  @IsText({ min: 1, max: 255 })
  @ApiProperty({ type: String, example: 'Northern Lights Gaming' })
  name!: string;
}

export class AffiliateChangesBody extends AffiliateFields {
  @Optional()
  @IsText({ min: 1, max: 255 })
  @ApiProperty({ type: String, required: false, example: 'Northern Lights Gaming' })
  name?: string;
}

export class AffiliateBody {
  @ApiProperty({ type: Number, example: 3 })
  id!: number;

  @ApiProperty({ type: String, example: 'Northern Lights Gaming' })
  name!: string;

  @ApiProperty({
    type: [String],
    description: 'Which it may take; those that are switched off for everyone stay off',
    enum: tickers,
    example: ['BTC', 'LTC', 'ETH'],
  })
  currencies!: string[];

  @ApiProperty({
    type: String,
    description: 'disabled, archived: its keys are refused with 403',
    enum: affiliateStatuses,
    example: 'enabled',
  })
  status!: string;

  @ApiProperty({
    type: LegacySettingsBody,
    description: 'For the older interface; null: not set up',
    nullable: true,
    example: null,
  })
  legacy!: LegacySettingsBody | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;
}

export class AffiliatesBody extends PageBody {
  @ApiProperty({ type: [AffiliateBody] })
  affiliates!: AffiliateBody[];
}
