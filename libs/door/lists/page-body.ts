import { Text } from '../fields/index.ts';

export class PageBody {
  @Text.orNull('null: this is the last page', null)
  next_cursor!: string | null;
}
