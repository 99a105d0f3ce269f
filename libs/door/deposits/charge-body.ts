import { beneficiaries, chargeKinds, payers } from '#deposits';
import { Num, Word } from '../fields/index.ts';

export class ChargeBody {
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
