import { AmountsBody } from '#door/deposits';
import { Flag, Int, Num, SentFlag, SentText, Text, Word } from '#door/fields';
import { UncheckedWhenAbsent } from '#door/http';

@UncheckedWhenAbsent()
export class AcceptBody {
  @SentFlag.byDefault(false, 'Re-price from what was received. A late deposit always needs it')
  adjust_to_received?: boolean;
}

/** Far more than any address or reason has, and far less than an event may hold. */
const LONGEST = 2_000;

@UncheckedWhenAbsent()
export class ReturnBody {
  @SentText('Not validated: to a wrong address nothing can be returned', 'bc1q-an-address-of-the-player', {
    min: 1,
    max: LONGEST,
  })
  return_address!: string;

  @SentText.optional('Told again by the webhook', 'the player asked for it', { min: 1, max: LONGEST })
  reason?: string;
}

export class AcceptedBody extends AmountsBody {
  @Int('The deposit', 1021)
  deposit_id!: number;

  @Word(['accepted'], 'What was decided')
  decision!: 'accepted';

  @Flag('Whether it was re-priced to the received amount', false)
  adjusted!: boolean;

  @Num.orNull('What was received', 0.00171718)
  confirmed_crypto!: number | null;

  @Text.orNull('Decimal string, spreads included', '59400')
  crypto_rate!: string | null;
}

export class ReturnedBody {
  @Int('The deposit', 1021)
  deposit_id!: number;

  @Word(['returned'], 'What was decided')
  decision!: 'returned';

  @Int('The queued return; webhooks name it', 7)
  return_id!: number;
}

export class FrozenBody {
  @Int('The deposit', 1021)
  deposit_id!: number;

  @Word(['frozen'], 'What was decided')
  decision!: 'frozen';
}
