import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { under } from './under.mjs';

const output = async (program, args, options = {}) =>
  (await promisify(execFile)(program, args, { maxBuffer: 1 << 24, ...options })).stdout;

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'cointill');

/** Lists of packages of our own, so that nobody has to be root. */
const lists = ['-o', `Dir::State::lists=${join(cache, 'apt-lists')}`, '-o', `Dir::Cache=${join(cache, 'apt')}`];

const apt = (args, options) => output('apt-get', [...lists, '-o', 'APT::Sandbox::User=root', ...args], options);

/** Chromium, what it needs and this machine lacks, and letters to write with. */
const missingPackages = async () => {
  const plan = await apt(['-s', 'install', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']);
  return [...plan.matchAll(/^Inst (\S+) \((\S+)/gm)].map(([, name, version]) => `${name}=${version}`).sort();
};

const fontsOf = (root) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir>${root}/usr/share/fonts</dir><cachedir>${root}/fonts-cache</cachedir></fontconfig>
`;

const unpack = async (packages, root) => {
  const incoming = mkdtempSync(join(cache, 'incoming-'));
  try {
    // apt proves what it fetches by the signed lists.
    await apt(['download', ...packages], { cwd: incoming });
    for (const file of readdirSync(incoming).filter((name) => name.endsWith('.deb')))
      await output('dpkg-deb', ['-x', join(incoming, file), join(incoming, 'root')]);
    if (!existsSync(root)) renameSync(join(incoming, 'root'), root);
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
};

/** Some packages keep a folder of their own for theirs. */
const librariesOf = (root) => {
  const libraries = under(root).filter(({ name }) => /\.so(\.|$)/.test(name));
  return [...new Set(libraries.map(({ path }) => dirname(path)))];
};

const fetched = async () => {
  for (const folder of ['apt-lists/partial', 'apt/archives/partial'])
    mkdirSync(join(cache, folder), { recursive: true });
  if (!readdirSync(join(cache, 'apt-lists')).some((name) => name.endsWith('Packages') || name.includes('Packages.')))
    await apt(['update', '-qq']);
  const packages = await missingPackages();
  const root = join(cache, `chromium-${createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)}`);
  if (!existsSync(root)) {
    console.error(`cointill: fetching Chromium for the tests (${packages.length} packages of Debian)`);
    await unpack(packages, root);
  }
  writeFileSync(join(root, 'fonts.conf'), fontsOf(root));
  return {
    CHROMIUM: join(root, 'usr/lib/chromium/chromium'),
    CHROMIUM_LIBRARIES: librariesOf(root).join(':'),
    CHROMIUM_FONTS: join(root, 'fonts.conf'),
  };
};

/** What tells the tests where the browser is: yours (CHROMIUM), the machine's, else Debian's own, kept beside the checkouts. */
export const findChromium = async () => {
  const there = [process.env.CHROMIUM, ...PLACES].find((place) => place && existsSync(place));
  return there ? { CHROMIUM: there } : fetched();
};
