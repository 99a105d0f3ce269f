import { ApiProperty } from '@nestjs/swagger';
import { signalOutcomes, signalTypes } from '#deposits';
import { MOST_SIGNALS } from '#engine';

/** What every signal has; what its type needs beside is in the table of the reference. */
export class SignalBody {
  @ApiProperty({ type: String, maxLength: 128, description: 'The same id again changes nothing', example: 'sig-1' })
  signal_id!: string;

  @ApiProperty({
    type: String,
    description: 'What kind of fact',
    enum: signalTypes,
    example: 'payment.seen',
  })
  type!: string;

  @ApiProperty({ type: Number, required: false, description: 'Or address, or transaction_id', example: 1042 })
  deposit_id?: number;

  @ApiProperty({ type: String, required: false, description: 'Names the deposit that was issued this address' })
  address?: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the fact was; it may be past, future or out of order',
    example: '2026-11-21T14:00:00.000Z',
  })
  at!: string;

  @ApiProperty({
    type: String,
    description: 'The transaction of the payment',
    required: false,
    example: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  })
  txid?: string;

  @ApiProperty({ type: Number, description: 'Which output of it pays', required: false, default: 0 })
  vout?: number;

  @ApiProperty({ type: String, required: false, description: 'Decimal text of the coin', example: '0.00166667' })
  amount?: string;

  @ApiProperty({
    type: [String],
    description: 'Where the money comes from; each is screened',
    required: false,
    default: [],
  })
  funding_addresses?: string[];

  @ApiProperty({
    type: Boolean,
    description: 'Whether any input says that it may be replaced (BIP-125)',
    required: false,
    default: false,
  })
  replaceable?: boolean;
}

export class SignalsBody {
  @ApiProperty({
    type: [SignalBody],
    description: 'In the order in which they are to be applied',
    maxItems: MOST_SIGNALS,
  })
  signals!: SignalBody[];
}

export class SignalResultBody {
  @ApiProperty({ type: String, nullable: true, description: 'As it was sent, if it was text', example: 'sig-1' })
  signal_id!: string | null;

  @ApiProperty({
    type: String,
    enum: signalOutcomes,
    description:
      'applied: it changed something; duplicate: the signal_id was taken before; ignored: valid, but it changes nothing; rejected: it makes no sense, detail says why',
    example: 'applied',
  })
  outcome!: string;

  @ApiProperty({ type: String, description: 'Why it was rejected or ignored', nullable: true, example: null })
  detail!: string | null;
}

export class SignalResultsBody {
  @ApiProperty({ type: [SignalResultBody], description: 'One for each signal, in the order sent' })
  results!: SignalResultBody[];
}
