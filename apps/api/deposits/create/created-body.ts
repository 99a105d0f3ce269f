import { AmountsBody } from '#door/deposits';
import { Int, Num, Text, Time, Word } from '#door/fields';
import { currencies } from '#money';

export class CreatedBody extends AmountsBody {
  @Word(['ok'], 'A deposit was made')
  status!: 'ok';

  @Int('For later calls, and to match webhooks', 1021)
  deposit_id!: number;

  @Int('The underlying payment', 1021)
  transaction_id!: number;

  @Text('As sent', 'p-1021')
  gambler_ref!: string;

  @Text('Where the player pays', 'bc1q-the-address-of-this-deposit')
  address!: string;

  @Word(currencies, 'As sent', 'BTC')
  currency!: string;

  @Num('USD a coin: the market rate less all spreads', 59400)
  crypto_rate!: number;

  @Num('USD a coin when the quote was made', 60000)
  market_rate!: number;

  @Time('Thirty minutes after the quote', '2026-01-01T00:30:00.000Z')
  expires_at!: string;
}

const toldToPlayer = (example: string) => Text('To be shown to the player; call again later', example);

/** No deposit was made: the player has to follow a link first. */
export class KycRequiredBody {
  @Word(['kyc_required'], 'A verification link was sent by SMS')
  status!: 'kyc_required';

  @toldToPlayer('Identity verification required. A verification link was sent by SMS.')
  message!: string;
}

/** No deposit was made: the verification is not finished. */
export class KycPendingBody {
  @Word(['kyc_pending'], 'The verification is under way')
  status!: 'kyc_pending';

  @toldToPlayer('Identity verification is pending.')
  message!: string;
}
