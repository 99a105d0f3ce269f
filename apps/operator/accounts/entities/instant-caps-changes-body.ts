import { SentNum } from '#door/fields';

export class InstantCapsChangesBody {
  @SentNum.byDefault(500, 'Most that a first instant deposit may be quoted at', undefined, { min: 0 })
  first_usd?: number;

  @SentNum.byDefault(1500, 'The same for a player who had a deposit accepted and confirmed', undefined, { min: 0 })
  returning_usd?: number;

  @SentNum.byDefault(600, 'Most that may come in for a first one; above it waits for KYT', undefined, { min: 0 })
  received_first_usd?: number;

  @SentNum.byDefault(1600, 'The same for a returning player', undefined, { min: 0 })
  received_returning_usd?: number;
}
