import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { node24 } from '../lib/node24.mjs';
import { Refusal } from '../lib/project.mjs';
import { outputOf, say, succeeds } from './command.mjs';
import { ensurePrograms } from './programs.mjs';

const inScratch = async (work) => {
  const scratch = mkdtempSync(join(tmpdir(), 'cointill-image-'));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** The mirror that this machine's own packages come from. */
const mirror = async () => {
  const format = '$(REPO_URI) $(ORIGIN) $(COMPONENT) $(LABEL)';
  const targets = await outputOf('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const debian = targets.split('\n').find((line) => line.endsWith(' Debian main Debian'));
  if (!debian) throw new Refusal('apt-get names no mirror of Debian to make an image from');
  return debian.split(' ')[0];
};

/** What `debian:bookworm-slim` is, and some documentation. */
export const makeDebian = async (tag) => {
  await ensurePrograms({ debootstrap: 'debootstrap' });
  say('making Debian bookworm (debootstrap)');
  await inScratch(async (scratch) => {
    const [system, archive] = [join(scratch, 'system'), join(scratch, 'system.tar')];
    const options = ['--variant=minbase', '--include=ca-certificates'];
    await outputOf('debootstrap', [...options, 'bookworm', system, await mirror()]);
    rmSync(join(system, 'var/cache/apt/archives'), { recursive: true, force: true });
    await outputOf('tar', ['-C', system, '-cf', archive, '.']);
    await outputOf('docker', ['import', archive, tag]);
  });
};

const put = (from, scratch, to) => {
  if (!from || !existsSync(from)) return;
  mkdirSync(dirname(join(scratch, to)), { recursive: true });
  copyFileSync(realpathSync(from), join(scratch, to));
};

const npmSetting = async (name) => {
  const value = await outputOf('npm', ['config', 'get', name], { withinMs: 60_000 });
  return ['null', 'undefined', ''].includes(value) ? undefined : value;
};

/** Its registry, its credentials and whom it trusts, as files where npm looks for them in the image. */
const putNpmSettings = async (scratch) => {
  put(await npmSetting('userconfig'), scratch, 'root/.npmrc');
  put(await npmSetting('globalconfig'), scratch, 'usr/local/etc/npmrc');
  for (const trusted of [await npmSetting('cafile'), process.env.NODE_EXTRA_CA_CERTS]) {
    if (trusted) put(trusted, scratch, trusted);
  }
};

const npmItself = async () => {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js')) return dirname(dirname(cli));
  return join(await outputOf('npm', ['root', '--global'], { withinMs: 60_000 }), 'npm');
};

const nodeDockerfile = (base) => `FROM ${base}
COPY . /
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS="${process.env.NODE_EXTRA_CA_CERTS ?? ''}"
`;

/** What `node:24-bookworm-slim` is for a build: the project's Node, this machine's npm and its settings. */
export const makeNode = async (tag, base) => {
  await inScratch(async (scratch) => {
    mkdirSync(join(scratch, 'usr/local/bin'), { recursive: true });
    copyFileSync(node24(), join(scratch, 'usr/local/bin/node'));
    cpSync(await npmItself(), join(scratch, 'usr/local/lib/node_modules/npm'), { recursive: true });
    await putNpmSettings(scratch);
    writeFileSync(join(scratch, 'Dockerfile'), nodeDockerfile(base));
    await outputOf('docker', ['build', '--quiet', '--tag', tag, scratch]);
  });
};

export const isThere = (image) => succeeds('docker', ['image', 'inspect', image]);
