import { beneficiaries, chargeKinds, payers } from '#deposits';
import { List, Num, Word } from '../fields/index.ts';

class ChargeBody {
  @Word(beneficiaries, 'Who gets it: the service, the partner or the casino', 'BF')
  beneficiary!: string;

  @Word(chargeKinds, 'SPREAD lowers the rate; FEE is a percent of the player amount', 'SPREAD')
  kind!: string;

  @Word(payers, 'ENTITY: deducted from what the casino is settled', 'PLAYER')
  paid_by!: string;

  @Num('As a fraction: 0.02 is 2%', 0.01)
  percent!: number;

  @Num('In USD', 1.03)
  amount_usd!: number;

  @Num.orNull("In the deposit's currency", 0.0000171718)
  amount_crypto!: number | null;
}

const alias = (what: string, example: number) => Num(`Deprecated: ${what}`, example, { deprecated: true });

/** The money that every answer about a deposit shows. */
export class AmountsBody {
  @Num('At most 8 decimals', 0.00171718)
  crypto_amount!: number;

  @Num('What the player pays in all, player-paid fees included', 102)
  usd_amount!: number;

  @Num('USD to credit the player', 100)
  player_amount!: number;

  @Num('What the casino is settled', 101.5)
  entity_net_usd!: number;

  @List(ChargeBody, 'All fees and spreads with a percent above zero')
  charges!: ChargeBody[];

  @alias('the same as entity_net_usd', 101.5)
  affiliate_net_usd!: number;

  @alias('sum of the percents of player-paid fees', 0.02)
  fee!: number;

  @alias('sum of player-paid fees', 2)
  fee_usd!: number;

  @alias("the service's fees", 0.5)
  bf_fee_usd!: number;

  @alias("the service's spreads", 1.03)
  bf_spread_usd!: number;

  @alias("the partner's fees and spreads", 0)
  affiliate_fee_usd!: number;
}
