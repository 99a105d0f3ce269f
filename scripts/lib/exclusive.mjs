import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inProject, Refusal } from './project.mjs';

const forgottenAfter = 15 * 60_000;

const lives = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** A pid may have been given away again: a claim older than any install is of no living process. */
const holds = (file) => {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - written < forgottenAfter && lives(Number(file.split('.').at(-2)));
};

const rivals = (directory, name, mine) => {
  const others = readdirSync(directory)
    .filter((file) => file.startsWith(`${name}.`) && file.endsWith('.claim'))
    .map((file) => join(directory, file))
    .filter((file) => file !== mine);
  for (const dead of others.filter((file) => !holds(file))) rmSync(dead, { force: true });
  return others.filter(holds);
};

const claimed = (directory, name, mine) => {
  writeFileSync(mine, '');
  if (rivals(directory, name, mine).length === 0) return true;
  rmSync(mine, { force: true });
  return false;
};

const claimDirectory = () => {
  try {
    const directory = inProject('.cache');
    mkdirSync(directory, { recursive: true });
    return directory;
  } catch (error) {
    throw new Refusal(`${inProject()} cannot be written (${error.code}): run as the user that it belongs to`);
  }
};

/**
 * Lets one process of this checkout at a time do a piece of work. Everybody claims first and looks after that, so of
 * two at once at least one sees the other and steps back.
 */
export const exclusively = async (name, work) => {
  const directory = claimDirectory();
  const mine = join(directory, `${name}.${process.pid}.claim`);
  let told = false;
  while (!claimed(directory, name, mine)) {
    if (!told) console.error(`cointill: another process is at the ${name}, waiting for it`);
    told = true;
    await delay(50 + Math.random() * 100);
  }
  try {
    return await work();
  } finally {
    rmSync(mine, { force: true });
  }
};
