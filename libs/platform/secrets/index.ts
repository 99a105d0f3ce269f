export { loadSecretsKey, SecretsKeyError } from './kept-key.ts';
export { createSecrets, type Secrets } from './secrets.ts';
