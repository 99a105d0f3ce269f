import type { Expected } from '../log/event.ts';

type Named = { hasNoStream(): boolean; hasStreamExists(): boolean };
type ByRevision = Named & { hasRevision(): boolean; getRevision(): string };
type ByPosition = Named & { hasStreamPosition(): boolean; getStreamPosition(): string };

const MAX = 2n ** 63n;

/** The field is unsigned: a caller's negative revision arrives as a huge one, and is no revision. */
const explicit = (text: string) => {
  const revision = BigInt(text);
  return revision < MAX ? revision : undefined;
};

const named = (options: Named): Expected => {
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : 'any';
};

export const expectedRevision = (options: ByRevision): Expected | undefined =>
  options.hasRevision() ? explicit(options.getRevision()) : named(options);

export const expectedPosition = (options: ByPosition): Expected | undefined =>
  options.hasStreamPosition() ? explicit(options.getStreamPosition()) : named(options);
