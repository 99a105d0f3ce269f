import { ApiProperty } from '@nestjs/swagger';
import { PageBody, PageQuery } from '#door/lists';
import { IsText, Optional } from '#door/rules';

export class AuditTrailQuery extends PageQuery {
  @Optional()
  @IsText()
  @ApiProperty({ type: String, required: false, description: 'Kind of what was changed', example: 'entity' })
  subject?: string;

  @Optional()
  @IsText()
  @ApiProperty({ type: String, description: 'Which one', required: false, example: '41' })
  subject_id?: string;

  @Optional()
  @IsText()
  @ApiProperty({ type: String, description: 'Who', required: false, example: 'operator token 4' })
  actor?: string;
}

export class AuditEntryBody {
  @ApiProperty({ type: Number, example: 108 })
  id!: number;

  @ApiProperty({
    type: String,
    description: 'When it was done',
    format: 'date-time',
    example: '2026-01-02T03:04:05.678Z',
  })
  at!: string;

  @ApiProperty({ type: String, description: 'Who', example: 'operator token 4' })
  actor!: string;

  @ApiProperty({
    type: String,
    description: 'What was done',
    enum: ['created', 'changed', 'removed'],
    example: 'changed',
  })
  action!: string;

  @ApiProperty({ type: String, description: 'Kind of what was changed', example: 'entity' })
  subject!: string;

  @ApiProperty({ type: String, description: 'Which one', example: '41' })
  subject_id!: string;

  @ApiProperty({
    type: Object,
    description: 'What it was, without secrets; null: it was not there',
    nullable: true,
    example: { id: 41, status: 'enabled' },
  })
  before!: object | null;

  @ApiProperty({
    type: Object,
    description: 'What it is now, without secrets; null: it is gone',
    nullable: true,
    example: { id: 41, status: 'disabled' },
  })
  after!: object | null;
}

export class AuditTrailBody extends PageBody {
  @ApiProperty({ type: [AuditEntryBody] })
  audit_trail!: AuditEntryBody[];
}
