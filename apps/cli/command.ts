import type { JsonSchema } from './json-schema.ts';
import type { ExitCode } from './parts/exit.ts';
import type { Out } from './parts/out.ts';
import type { Service } from './service/service.ts';

/** What was typed after the words of a command, and what it may do about it. */
export type Call = {
  readonly args: readonly string[];
  readonly option: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
  /** All there are, in the order of the help. */
  readonly commands: readonly Command[];
  readonly out: Out;
  /** The service that COINTILL_URL or `cointill login` names. */
  readonly service: () => Service;
  /** Aborted by Ctrl-C and SIGTERM: the command cleans up and ends with 130. */
  readonly signal: AbortSignal;
  /** Goes on after the word or with --yes, and ends the command otherwise. */
  readonly confirm: (what: string, word: string) => Promise<void>;
};

type Told = readonly [flags: string, description: string];

/**
 * One command, in a file of its own, with its line in commands.ts. What takes long to load is imported in `run`, so
 * that help and completion come at once.
 */
export type Command = {
  /** What is typed: 'audit verify'. */
  readonly words: string;
  readonly summary: string;
  /** More than fits on a line. */
  readonly description?: string;
  /** As commander writes them: `<file>`, `[name]`. */
  readonly args?: readonly Told[];
  /** As commander writes them: `--from <time>`; without a value it is a flag. --json and --yes are given to all. */
  readonly options?: readonly Told[];
  /** Whole lines, as they can be pasted. */
  readonly examples: readonly [string, ...string[]];
  /** What --json prints; with `rows` each line of it. */
  readonly json: JsonSchema;
  readonly rows?: true;
  /** Run when only the first of its words is typed. */
  readonly isDefault?: true;
  /** Names of operations of the service that it calls, where a table of its own does not say so. */
  readonly operations?: readonly string[];
  readonly run: (call: Call) => Promise<ExitCode>;
};
