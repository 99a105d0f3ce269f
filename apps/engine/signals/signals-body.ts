import { ApiProperty } from '@nestjs/swagger';
import { signalOutcomes } from '#deposits';
import { MOST_SIGNALS } from '#engine';
import { anySignal } from './signal-schemas.ts';

export class SignalsBody {
  @ApiProperty({
    type: 'array',
    items: anySignal,
    description: 'In the order in which they are to be applied',
    maxItems: MOST_SIGNALS,
  })
  signals!: object[];
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
