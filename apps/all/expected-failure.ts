import { BrokenHistory } from '#event-log';
import { WrongSecretsKey } from '#partners';
import { ConfigurationError } from '#platform/configuration';
import { EmbeddedPostgresError } from '#platform/embedded-postgres';
import { ListenError } from '#platform/http';
import { MigrationError } from '#platform/migrations';
import { SecretsKeyError } from '#platform/secrets';

/** A start that cannot succeed before somebody changes something outside; the message is one line that says what. */
export class StartError extends Error {}

const EXPECTED = [
  BrokenHistory,
  StartError,
  ConfigurationError,
  EmbeddedPostgresError,
  ListenError,
  MigrationError,
  SecretsKeyError,
  WrongSecretsKey,
];

/** What to print instead of a stack; undefined for a fault of ours. */
export const expectedFailure = (error: unknown): string | undefined =>
  EXPECTED.some((kind) => error instanceof kind) ? (error as Error).message : undefined;
