import { DepositBody } from '#door/deposits';
import { Int, List } from '#door/fields';

export class DepositListBody {
  @List(DepositBody, 'Newest first')
  deposits!: DepositBody[];

  @Int('All that match, on every page', 1)
  total!: number;
}
