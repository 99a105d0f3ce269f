import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Refusal } from '../lib/project.mjs';
import { outputOf, say } from './command.mjs';

const isThere = (program) =>
  `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`
    .split(delimiter)
    .some((directory) => existsSync(join(directory, program)));

const isDebianAsRoot = () => process.geteuid?.() === 0 && isThere('apt-get');

let listsAreNew = false;

const install = async (packages) => {
  say(`installing ${packages.join(' ')} (apt-get)`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  if (!listsAreNew) await outputOf('apt-get', ['update'], { env });
  listsAreNew = true;
  await outputOf('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], { env });
};

/** Programs of this machine by their Debian packages; what is missing is installed where that can be done. */
export const ensurePrograms = async (packages) => {
  const missing = Object.entries(packages).filter(([program]) => !isThere(program));
  if (missing.length === 0) return;
  if (!isDebianAsRoot()) {
    throw new Refusal(
      `${missing.map(([program]) => program).join(', ')} is missing: install it, or run as root on Debian`,
    );
  }
  await install(missing.map(([, name]) => name));
};
