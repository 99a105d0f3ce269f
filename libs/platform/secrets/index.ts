export { loadSecretsKey, SecretsKeyError } from './kept-key.ts';
export { maskedUrl } from './masked-url.ts';
export { SealBroken } from './sealing.ts';
export { createSecrets, type Secrets } from './secrets.ts';
