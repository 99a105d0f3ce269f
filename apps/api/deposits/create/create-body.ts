import { IsInt } from 'class-validator';
import { EchoedAskedBody } from '#door/deposits';
import { Int, SentAmount, SentFlag, SentText, SentWord, Text } from '#door/fields';
import { UncheckedWhenAbsent } from '#door/http';
import { IsMailAddress, OptionalOrNull } from '#door/rules';
import { type Currency, currencies } from '#money';

@UncheckedWhenAbsent()
export class CreateDepositBody extends EchoedAskedBody {
  @Int("One of the affiliate's casinos", 1)
  @IsInt()
  entity_id!: number;

  @SentWord(currencies, 'Enabled for the affiliate', 'BTC')
  currency!: Currency;

  @SentText('Your own stable name for the player', 'p-1021', { min: 1, max: 255 })
  gambler_ref!: string;

  @SentText('KYC links go there by SMS', '+15550100', { min: 1, max: 32 })
  phone!: string;

  @Text.optional('The receipt goes there too', 'player@mail.example', { nullable: true })
  @OptionalOrNull()
  @IsMailAddress()
  email?: string | null;

  @SentAmount('USD to credit the player, or with amount_is_crypto what the player will send', 100)
  amount!: number;

  @SentFlag.byDefault(false, 'Whether amount is the crypto that the player will send')
  amount_is_crypto?: boolean;

  @SentFlag.byDefault(false, 'May be accepted before confirmation')
  no_conf?: boolean;

  @SentFlag.byDefault(false, 'May be accepted before KYT; a no_conf too')
  instant?: boolean;
}
