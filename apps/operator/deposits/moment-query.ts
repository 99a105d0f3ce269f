import type { Moment } from '#audit';
import { schemaMismatch } from '#door/errors';
import { SentDigits, Text } from '#door/fields';
import { Optional } from '#door/rules';
import { IsInstantText, instantOf } from './rules.ts';

export class MomentQuery {
  @Text.optional('As it was read at this time', '2026-01-31T14:05:00Z')
  @Optional()
  @IsInstantText()
  at?: string;

  @SentDigits.optional('As it was read when its history ended with this revision', '4')
  revision?: string;
}

/** Undefined: as it is now. */
export const momentIn = ({ at, revision }: MomentQuery): Moment | undefined => {
  const instant = instantOf(at);
  if (instant !== undefined && revision !== undefined)
    throw schemaMismatch([{ path: ['revision'], message: 'cannot be sent together with at' }]);
  if (instant !== undefined) return { at: instant };
  return revision === undefined ? undefined : { revision: Number(revision) };
};
