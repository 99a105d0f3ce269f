import { ApiProperty } from '@nestjs/swagger';
import { signalOutcomes } from '#deposits';
import { List, Text, Word } from '#door/fields';
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
  @Text.orNull('As it was sent, if it was text', 'sig-1')
  signal_id!: string | null;

  @Word(
    signalOutcomes,
    'applied: it changed something; duplicate: the signal_id was taken before; ignored: valid, but it changes nothing; rejected: it makes no sense, detail says why',
    'applied',
  )
  outcome!: string;

  @Text.orNull('Why it was rejected or ignored', null)
  detail!: string | null;
}

export class SignalResultsBody {
  @List(SignalResultBody, 'One for each signal, in the order sent')
  results!: SignalResultBody[];
}
