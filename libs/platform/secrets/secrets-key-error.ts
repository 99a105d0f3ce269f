/** A key file that cannot be read or made; the message names the settings to change. */
export class SecretsKeyError extends Error {}
