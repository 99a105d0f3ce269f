import { ApiProperty } from '@nestjs/swagger';

export class PageBody {
  @ApiProperty({ type: String, nullable: true, description: 'null: this is the last page', example: null })
  next_cursor!: string | null;
}
