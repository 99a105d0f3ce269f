/** The stored hashes were made with another key; the message names the setting. */
export class WrongSecretsKey extends Error {
  constructor() {
    super(
      'SECRETS_KEY is not the one that this database was set up with: set it to that of the first start, or DATA_DIR to the directory that keeps it',
    );
  }
}
