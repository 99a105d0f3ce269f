import { isNativeError } from 'node:util/types';
import { redactText } from '#platform/logging';

const databaseOf = (placeOf: (url: string) => string): string => {
  const url = process.env.DATABASE_URL;
  return url && URL.canParse(url) ? `DATABASE_URL cannot be used: ${placeOf(url)}` : 'the database cannot be used';
};

/** What a command that looks by itself, without a service, says of a database or a log that does not answer. */
export const storesAway = async (error: unknown): Promise<string | undefined> => {
  if (!isNativeError(error)) return undefined;
  if (error.name === 'LogUnavailable') return redactText(error.message).replaceAll(/\s+/g, ' ');
  // Most commands ask a service and load no client of a database, nor does a fault of theirs.
  const { isAway, connectionFailure, placeOf } = await import('#platform/postgres');
  const reason = connectionFailure(error) ?? (isAway(error) ? error.message : undefined);
  return reason === undefined ? undefined : `${databaseOf(placeOf)}: ${reason}`;
};
