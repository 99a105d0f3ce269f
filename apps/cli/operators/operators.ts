import type { Command } from '../command.ts';
import { commandOf } from './command-of.ts';
import { readDocument } from './document.ts';
import { names } from './names.ts';

const document = readDocument();

/** A command for every operation that has no file of its own. */
export const operatorCommands: readonly Command[] = Object.entries(names).flatMap(([id, named]) => {
  const operation = document.operations[id];
  return operation ? [commandOf(id, operation, named, document)] : [];
});
