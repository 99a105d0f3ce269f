import { List, Num, SentText, Text, Word } from '#door/fields';

export class LostEndBody {
  @Text('The history', 'deposit-1042')
  stream!: string;

  @Num('The last event of it that was shown', 6)
  shown_revision!: number;

  @Num('Where the log has its end now; -1: it has nothing of it', 2)
  ends_at!: number;
}

class RefusedEndBody {
  @Text('The history', 'deposit-1042')
  stream!: string;

  @Word(
    ['broken', 'whole', 'ahead', 'rebuilding'],
    'broken: it is not as it was written besides, or has another event there; whole: the log holds what was shown; ' +
      'ahead: rows still show what is gone, rebuild the read model; rebuilding: a rebuild is under way',
    'broken',
  )
  because!: string;
}

export class LostEndsBody {
  @List(LostEndBody, 'That are whole, and end before what was shown of them; the first thousand')
  lost_ends!: LostEndBody[];

  @List(RefusedEndBody, 'Of which no end can be accepted')
  refused!: RefusedEndBody[];

  @Num('More of them, which were not looked at yet', 0)
  left!: number;
}

export class AcceptedEndsBody {
  @List(LostEndBody, 'What ends there from now on')
  accepted!: LostEndBody[];

  @List(RefusedEndBody, 'Of which no end can be accepted')
  refused!: RefusedEndBody[];

  @Num('More of them, for the next call', 0)
  left!: number;
}

export class AcceptEndsBody {
  @SentText('Recorded in the audit trail', 'the log was put back to 11:40 after the loss of its disk', {
    min: 3,
    max: 2_000,
  })
  reason!: string;
}
