import { existsSync } from 'node:fs';
import { inProject, platform, Refusal } from './project.mjs';

/** The Node that npm has brought; else the one that runs this, when it is new enough. */
export const node24 = () => {
  const brought = inProject('node_modules', `node-${platform}`, 'bin', 'node');
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Refusal(`npm brings no Node 24 for ${platform}: install Node 24 or newer yourself and start with that`);
};
