import type { Command } from '../command.ts';

const ALWAYS = ['--help', '--json', '--yes'];

const longOf = (flags: string): string[] => flags.match(/--[\w-]+/g) ?? [];

/** What may stand where the last of the words begins: the next word of a command, or an option of the one there. */
export const candidates = (commands: readonly Command[], typed: readonly string[]): string[] => {
  const begun = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const below = commands.map(({ words }) => words.split(' ')).filter((words) => !words[0]?.startsWith('__'));
  const next = below
    .filter((words) => before.every((word, nth) => words[nth] === word))
    .map((words) => words[before.length]);
  const here = commands.find(({ words }) => before.join(' ').startsWith(words));
  const options = () => [...ALWAYS, ...(here?.options ?? []).flatMap(([flags]) => longOf(flags))];
  const all = begun.startsWith('-') ? options() : next.filter((word) => word !== undefined);
  return [...new Set(all)].filter((each) => each.startsWith(begun)).sort();
};
