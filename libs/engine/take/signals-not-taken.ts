/** The same call again takes what is left of it, and answers duplicate to what was taken. */
export class SignalsNotTaken extends Error {
  override readonly name = 'SignalsNotTaken';

  constructor(cause: unknown) {
    super('not every signal of a call could be taken', { cause });
  }
}
