import { ApiProperty } from '@nestjs/swagger';
import { PageBody, PageQuery } from '#door/lists';
import { IsText, Optional } from '#door/rules';

export class MessagesQuery extends PageQuery {
  @ApiProperty({ type: String, required: false, description: 'To whom', example: '+46701234567' })
  @Optional()
  @IsText()
  phone?: string;

  @ApiProperty({ type: String, description: 'About which player', required: false, example: 'player-9' })
  @Optional()
  @IsText()
  gambler_ref?: string;
}

export class MessageBody {
  @ApiProperty({ type: String, description: 'How it went', enum: ['sms', 'email'], example: 'sms' })
  kind!: string;

  @ApiProperty({ type: String, description: 'Phone or address of e-mail', example: '+46701234567' })
  to!: string;

  @ApiProperty({
    type: String,
    description: 'As it was sent',
    example: 'Receipt: 100.00 USD credited for 2 LTC. Deposit 7.',
  })
  text!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The link in the text, if there is one', example: null })
  link!: string | null;

  @ApiProperty({
    type: String,
    description: 'When it was written',
    format: 'date-time',
    example: '2026-03-01T12:00:00.000Z',
  })
  at!: string;
}

export class MessagesBody extends PageBody {
  @ApiProperty({ type: [MessageBody], description: 'Newest first' })
  messages!: MessageBody[];
}
