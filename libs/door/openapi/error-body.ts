import { ApiProperty } from '@nestjs/swagger';
import { type InstantTier, instantTiers } from '#deposits';
import { Flag, Nested, Text, Word } from '../fields/index.ts';

const comesWith = (code: string, what: string, type: 'number' | 'integer' | 'string', more: object = {}) =>
  ApiProperty({ type, required: false, description: `With ${code}: ${what}`, ...more });

/** The normal shape of an error. What comes beside the detail depends on the code, if there is one. */
export class ErrorBody {
  @Text('For people: its wording can change, do not parse it', 'Deposit not found')
  detail!: string;

  @Text.optional('For programs: a word that stays, wherever the error has one reading only', 'deposit_not_found')
  code?: string;

  @comesWith('fast_deposit_unconfirmed', 'the deposit that is in the way', 'integer')
  blocking_deposit_id?: number;

  @comesWith('fast_deposit_unconfirmed', 'its payment status', 'string')
  blocking_status?: string;

  @comesWith('instant_over_cap, amount_under_min and amount_over_max', 'what the player would pay in USD', 'number')
  requested_usd?: number;

  @comesWith('amount_under_min', 'the least that the casino takes, in USD', 'number')
  min_usd?: number;

  @comesWith('amount_over_max', 'the most that the casino takes, in USD', 'number')
  max_usd?: number;

  @comesWith('instant_over_cap', "the player's cap in USD", 'number')
  instant_max_usd?: number;

  @comesWith('instant_over_cap', 'whose cap it is: that of a first or of a returning player', 'string', {
    enum: instantTiers,
  })
  instant_tier?: InstantTier;

  @comesWith('instant_received_over_cap', 'market value in USD of what was received', 'number')
  received_usd?: number;

  @comesWith('instant_received_over_cap', 'the ceiling in USD of what may be received', 'number')
  instant_received_max_usd?: number;

  @comesWith('ofac_screen_pending', 'when the screening is due, where a deadline is set', 'string', {
    format: 'date-time',
  })
  ofac_deadline_at?: string;
}

export class ValidationIssuesBody {
  @Word(['ZodError'], 'Always the same')
  name!: 'ZodError';

  @Text(
    'A JSON array as text, one object for each wrong field: `path`, an array of names and indexes, and `message`',
    '[{"path":["entity_id"],"message":"Required"}]',
  )
  message!: string;
}

/** A body or a query that does not fit its schema. It has no detail. */
export class ValidationErrorBody {
  @Flag('Always false', undefined, { enum: [false] })
  success!: false;

  @Nested(ValidationIssuesBody, 'What does not fit')
  error!: ValidationIssuesBody;
}
