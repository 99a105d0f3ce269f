/** What a script can tell apart; docs/reference/cli.md says the same. */
export const exit = { done: 0, finding: 1, usage: 2, refused: 3, unreachable: 4, fault: 70, interrupted: 130 } as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

/** Ends the command with a line for people and a code for programs. */
export class Failure extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const usage = (message: string): Failure => new Failure(exit.usage, message);
export const refused = (message: string): Failure => new Failure(exit.refused, message);
export const unreachable = (message: string): Failure => new Failure(exit.unreachable, message);

const FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Where there is no room is no mistake of the command, and no trace of it would tell more. */
export const isFull = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && FULL.includes(error.code);
