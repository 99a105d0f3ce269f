import { ApiProperty } from '@nestjs/swagger';

/** The normal shape of an error. */
export class ErrorBody {
  @ApiProperty({ type: String, description: 'For people: its wording can change, do not parse it' })
  detail!: string;

  @ApiProperty({ type: String, required: false, description: 'For programs, where there is one' })
  code?: string;
}
