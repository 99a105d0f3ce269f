import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const inProject = (...parts) => join(root, ...parts);

export const platform = `${process.platform}-${process.arch}`;

/** What a user has to change; it is printed as one line, without a stack. */
export class Refusal extends Error {}

const stop = (error) => {
  console.error(error instanceof Refusal ? `cointill: ${error.message}` : error);
  process.exit(1);
};

/** Runs a command of the project; what it gives back is the exit code. */
export const main = (command) => {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) stop(new Refusal(`Node ${process.versions.node} is too old: install Node 20 or newer`));
  command(process.argv.slice(2)).then((code) => process.exit(code), stop);
};
