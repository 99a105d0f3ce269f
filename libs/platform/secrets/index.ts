export { keptNextKey, keptSecretsKey, keyFileName, loadSecretsKey, nextSecretsKey } from './kept-key.ts';
export { isMaskedUrl, maskedUrl, urlWithoutQuery } from './masked-url.ts';
export { type Ring, ringOf, unwrapped, withNewKey, wrapped } from './ring.ts';
export type { SealedPlace } from './sealed-place.ts';
export { SealBroken } from './sealing.ts';
export { createSecrets, type Secrets, secretsOf } from './secrets.ts';
export { SecretsKeyError } from './secrets-key-error.ts';
export { WrongSecretsKey } from './wrong-secrets-key.ts';
