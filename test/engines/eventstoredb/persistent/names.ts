import type { shared } from '../wire/definitions.ts';
import { readStreamName } from '../wire/identifiers.ts';
import type { GroupName } from '../wire/refusals.ts';
import { ALL } from './source.ts';

type Options = {
  hasAll(): boolean;
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
  getGroupName(): string;
};

export const nameOf = (options: Options): GroupName => ({
  stream: options.hasAll() ? ALL : readStreamName(options.getStreamIdentifier()),
  group: options.getGroupName(),
});
