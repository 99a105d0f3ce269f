import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type ReviewResult, reviewResults } from '#deposits';
import { DepositBody } from '#door/deposits';
import { PageBody } from '#door/lists';
import { IsText, OptionalOrNull } from '#door/rules';

export class DepositPageBody extends PageBody {
  @ApiProperty({ type: [DepositBody], description: 'Newest first' })
  deposits!: DepositBody[];
}

export class NoteBody {
  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    maxLength: 2_000,
    description: 'Kept with the event for good',
    example: 'source of funds was shown',
  })
  @OptionalOrNull()
  @IsText({ max: 2_000 })
  note?: string | null;
}

export class KytReviewBody extends NoteBody {
  @ApiProperty({
    type: String,
    enum: reviewResults,
    description: 'failed freezes a pending deposit',
    example: 'passed',
  })
  @IsIn(reviewResults)
  result!: ReviewResult;
}
