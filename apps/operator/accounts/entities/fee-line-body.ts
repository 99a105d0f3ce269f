import { beneficiaries, chargeKinds, payers } from '#deposits';
import { Num, Word } from '#door/fields';

/** One line of the fee configuration; it is stored as it is sent, so nothing here is checked. */
export class FeeLineBody {
  @Word(beneficiaries, 'Who gets it: the service, the partner or the casino', 'BF')
  beneficiary!: string;

  @Word(chargeKinds, 'SPREAD lowers the rate; FEE is a percent of the player amount', 'SPREAD')
  kind!: string;

  @Word(payers, 'ENTITY: deducted from what the casino is settled; a SPREAD is always paid by the player', 'PLAYER')
  paid_by!: string;

  @Num('A fraction: 0.02 is 2%', 0.01)
  percent!: number;
}
