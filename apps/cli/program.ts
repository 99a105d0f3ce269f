import { Command as Commander } from 'commander';
import { release } from '#platform/release';
import type { Call, Command } from './command.ts';
import { commands, groups } from './commands.ts';
import { confirmed } from './parts/ask.ts';
import { type ExitCode, exit } from './parts/exit.ts';
import { openOut } from './parts/out.ts';
import { openService } from './service/service.ts';

type Run = { readonly signal: AbortSignal; readonly ended: (code: ExitCode) => void };

type Typed = Readonly<Record<string, unknown>>;

const callOf = (args: readonly unknown[], typed: Typed, signal: AbortSignal): Call => {
  const flag = (name: string): boolean => typed[name] === true;
  return {
    args: args.flat().filter((arg) => typeof arg === 'string'),
    option: (name) => (typeof typed[name] === 'string' ? typed[name] : undefined),
    flag,
    commands,
    out: openOut(flag('json')),
    service: () => openService({ signal }),
    signal,
    confirm: async (what, word) => {
      if (!flag('yes')) await confirmed(what, word, signal);
    },
  };
};

const examplesOf = ({ examples }: Command): string =>
  `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((line) => `  ${line}`).join('\n')}`;

/** Options are kept by the name that is typed, `--as-of` as 'as-of'. */
const typedOf = (leaf: Commander): Typed =>
  Object.fromEntries(
    leaf.options.map((option) => [option.long?.slice(2) ?? option.name(), leaf.getOptionValue(option.attributeName())]),
  );

const addTo = (parent: Commander, name: string, command: Command, { signal, ended }: Run): void => {
  const leaf = parent
    .command(name, { isDefault: command.isDefault ?? false, hidden: name.startsWith('__') })
    .summary(command.summary)
    .description([`${command.summary}.`, command.description].filter(Boolean).join(' '))
    .addHelpText('after', examplesOf(command));
  for (const [flags, description] of command.args ?? []) leaf.argument(flags, description);
  for (const [flags, description] of command.options ?? []) leaf.option(flags, description);
  leaf.option('--json', 'for programs: as `cointill schema` describes it').option('-y, --yes', 'ask nothing');
  leaf.action(async () => {
    ended(await command.run(callOf(leaf.processedArgs, typedOf(leaf), signal)));
  });
};

const groupOf = (parent: Commander, words: readonly string[], path = ''): Commander => {
  const [first, ...rest] = words;
  if (first === undefined) return parent;
  const whole = `${path} ${first}`.trim();
  const there = parent.commands.find((each) => each.name() === first);
  const group =
    there ??
    parent
      .command(first)
      .summary(groups[whole] ?? '')
      .description(groups[whole] ?? '');
  return groupOf(group, rest, whole);
};

const ABOUT = 'Cointill from the command line. Data goes to stdout, everything else to stderr.';

const CODES = `
Exit codes: ${exit.done} done, ${exit.finding} something was found, ${exit.usage} wrong usage, ${exit.refused} refused, \
${exit.unreachable} not reachable, ${exit.interrupted} interrupted
Environment: COINTILL_URL and COINTILL_TOKEN instead of a login (COINTILL_PLAIN_HTTP=allow: also without TLS), NO_COLOR`;

/** Every command with its options, ready to parse; it never ends the process by itself. */
export const programOf = (run: Run): Commander => {
  const program = new Commander('cointill').description(ABOUT).addHelpText('after', CODES);
  program.version(release, '-V, --version', 'print which Cointill this is');
  program.exitOverride().showHelpAfterError('(--help tells more)').enablePositionalOptions();
  for (const command of commands) {
    const words = command.words.split(' ');
    addTo(groupOf(program, words.slice(0, -1)), words.at(-1) ?? '', command, run);
  }
  return program;
};
