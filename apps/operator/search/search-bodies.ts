import { List, SentText, Text, Word } from '#door/fields';
import { foundBy, foundKinds } from '#inbox';

export class SearchQuery {
  @SentText(
    'An id, an address, a transaction (also as `<txid>:<vout>` or in a URL), an X-Webhook-Id, a signal or a player',
    'bc1q…',
    { min: 1, max: 256 },
  )
  q!: string;
}

export class FoundBody {
  @Word(foundKinds, 'What it is; transaction: of the older interface', 'deposit')
  kind!: string;

  @Text('Its id; of a player the gambler_ref', '1001')
  id!: string;

  @Word(foundBy, 'What of it is what was looked for', 'address')
  by!: string;

  @Text('What shows it', '/operator/deposits/1001')
  href!: string;
}

export class SearchBody {
  @List(FoundBody, 'All that has this name, deposits by their id first')
  found!: readonly FoundBody[];
}
