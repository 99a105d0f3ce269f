import { BrokenHistory } from '#event-log';
import { StartError } from '#ground';
import { WrongSecretsKey } from '#partners';
import { ConfigurationError } from '#platform/configuration';
import { EmbeddedPostgresError } from '#platform/embedded-postgres';
import { MigrationError } from '#platform/migrations';
import { SecretsKeyError } from '#platform/secrets';
import { ListenError } from '../http/index.ts';

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
