import { List, Num } from '../fields/index.ts';
import { ChargeBody } from './charge-body.ts';

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
