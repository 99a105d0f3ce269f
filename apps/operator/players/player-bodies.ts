import { List, Num, SentDigits, SentFlag, SentId, SentText, SentWord, Text, Word } from '#door/fields';
import { PageBody } from '#door/lists';
import { rule } from '#door/rules';
import { isMaskedPhone, type KycState, kycStates, type SettableState, settableStates } from '#kyc';

export class PlayerRefBody {
  @SentId('Casino', 41)
  entity_id!: number;

  @SentText("The casino's own name for the player", 'player-9', { min: 1, max: 255 })
  gambler_ref!: string;
}

const IsInFull = () =>
  rule({
    name: 'isInFull',
    message: 'must be a phone in full, not its end as a list shows it',
    holds: (value) => typeof value === 'string' && !isMaskedPhone(value),
  });

export class SetPlayerBody extends PlayerRefBody {
  @SentWord(settableStates, 'Where the identity verification stands', 'verified')
  kyc!: SettableState;

  @IsInFull()
  @SentText.orNull('Names the identity of the player; left out or null: the one that is known stays', '+46701234567', {
    min: 1,
    max: 32,
  })
  phone?: string | null;
}

export class PlayersQuery {
  @SentText.optional('Casino', '41', { min: 1 })
  entity_id?: string;

  @SentText.optional('Exactly as it was sent', 'player-9')
  gambler_ref?: string;

  @SentWord.optional(kycStates, 'Where the identity verification stands', 'pending')
  kyc?: KycState;

  @SentDigits.optional('At most and by default 500', '100')
  limit?: string;

  @SentText.optional('next_cursor of the page before', 'NDEgcGxheWVyLTk')
  cursor?: string;
}

export class PlayerBody {
  @Num('The casino', 41)
  entity_id!: number;

  @Text("The casino's own name for the player", 'player-9')
  gambler_ref!: string;

  @Word(kycStates, 'link_sent: a link is under way that the player has not used', 'verified')
  kyc!: string;

  @Text.orNull('As of the last call; its end alone where it was not sent with this call', '…567')
  phone!: string | null;
}

export class RevealedPlayerBody extends PlayerBody {
  @Text.orNull('As of the last call, in full', '+46701234567')
  declare phone: string | null;
}

export class PlayersBody extends PageBody {
  @List(PlayerBody, 'A page of them')
  players!: PlayerBody[];
}

export class KycServiceBody {
  @SentFlag('false: create answers 503, as when the provider is down', true)
  available!: boolean;
}
