import { List, SentText, Text, Time, Word } from '#door/fields';
import { PageBody, PageQuery } from '#door/lists';

export class MessagesQuery extends PageQuery {
  @SentText.optional('To whom', '+46701234567')
  phone?: string;

  @SentText.optional('About which player', 'player-9')
  gambler_ref?: string;
}

export class MessageBody {
  @Word(['sms', 'email'], 'How it went', 'sms')
  kind!: string;

  @Text('Phone or address of e-mail', '+46701234567')
  to!: string;

  @Text('As it was sent', 'Receipt: 100.00 USD credited for 2 LTC. Deposit 7.')
  text!: string;

  @Text.orNull('The link in the text, if there is one', null)
  link!: string | null;

  @Time('When it was written', '2026-03-01T12:00:00.000Z')
  at!: string;
}

export class MessagesBody extends PageBody {
  @List(MessageBody, 'Newest first')
  messages!: MessageBody[];
}
