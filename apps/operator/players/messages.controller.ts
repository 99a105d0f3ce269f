import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { MessagesBody, MessagesQuery } from './message-bodies.ts';
import { type ListMessages, MESSAGES } from './parts.ts';

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
  @OperatorErrors()
  async list(@Query() { phone, gambler_ref, ...page }: MessagesQuery): Promise<MessagesBody> {
    const { items, next_cursor } = await this.messages({
      phone: phone && phoneOf(phone),
      gamblerRef: gambler_ref,
      ...pageIn(page),
    });
    return { messages: [...items], next_cursor };
  }
}
