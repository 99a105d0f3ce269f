import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorRoutes, Roles } from '#door/access';
import { List, SentText, Text, Time, Word } from '#door/fields';
import { PageBody, PageQuery, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type ListMessages, MESSAGES } from './parts.ts';

class MessagesQuery extends PageQuery {
  @SentText.optional('To whom', '+46701234567')
  phone?: string;

  @SentText.optional('About which player', 'player-9')
  gambler_ref?: string;
}

class MessageBody {
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

class MessagesBody extends PageBody {
  @List(MessageBody, 'Newest first')
  messages!: MessageBody[];
}

/** In a query `+` means a blank unless it is encoded; no phone begins with one. */
const phoneOf = (text: string): string => text.replace(/^ /, '+');

@OperatorRoutes('operator/messages', 'Operator: players')
export class MessagesController {
  @Inject(MESSAGES) private readonly messages!: ListMessages;

  /** Links that open accounts are among them: not for auditors. */
  @Get()
  @Roles('admin', 'ops')
  @Described('listMessages', 'SMS and e-mail to players')
  @ApiOkResponse({ type: MessagesBody })
  async list(@Query() { phone, gambler_ref, ...page }: MessagesQuery): Promise<MessagesBody> {
    const { items, next_cursor } = await this.messages({
      phone: phone && phoneOf(phone),
      gamblerRef: gambler_ref,
      ...pageIn(page),
    });
    return { messages: [...items], next_cursor };
  }
}
