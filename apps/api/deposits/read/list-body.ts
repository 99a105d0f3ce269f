import { ApiProperty } from '@nestjs/swagger';
import { DepositBody } from '#door/deposits';

export class DepositListBody {
  @ApiProperty({ type: [DepositBody], description: 'Newest first' })
  deposits!: DepositBody[];

  @ApiProperty({ type: 'integer', description: 'All that match, on every page', example: 1 })
  total!: number;
}
