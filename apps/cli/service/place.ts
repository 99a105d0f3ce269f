import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { usage } from '../parts/exit.ts';
import { addressOf, shownAddress } from './address.ts';
import { tokenIn } from './token.ts';

export type Place = { readonly url: string; readonly token: string };

const folder = (): string => join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'cointill');

export const loginFile = (): string => join(folder(), 'login.json');

/** Written beside its place and moved there: nobody else can read it at any moment, and a kill leaves the old one. */
export const keepLogin = async (place: Place): Promise<void> => {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const fresh = `${loginFile()}.${process.pid}`;
  await rm(fresh, { force: true });
  await writeFile(fresh, `${JSON.stringify(place)}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(fresh, 0o600);
  await rename(fresh, loginFile());
};

export const forgetLogin = async (): Promise<boolean> => {
  const was = await stat(loginFile()).catch(() => undefined);
  await rm(loginFile(), { force: true });
  return was !== undefined;
};

const isPlace = (kept: unknown): kept is Place => {
  const { url, token } = Object(kept) as Partial<Record<keyof Place, unknown>>;
  return typeof url === 'string' && URL.canParse(url) && typeof token === 'string' && token !== '';
};

/** Undefined: it is not what `keepLogin` writes, as of a disk that was full or a hand that slipped. */
const placeIn = async (file: string): Promise<Place | undefined> => {
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isPlace(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
};

export const keptLogin = async (): Promise<Place | undefined> => {
  const about = await stat(loginFile()).catch(() => undefined);
  if (!about) return undefined;
  if ((about.mode & 0o077) !== 0)
    throw usage(`${loginFile()} can be read by others: chmod 600 it, and revoke its token if others may have`);
  const kept = await placeIn(loginFile());
  if (!kept) throw usage(`${loginFile()} holds no login: \`cointill login <url>\` writes it anew`);
  return kept;
};

const LOCAL = 'http://127.0.0.1:3000';

const addressIn = (url: string): string =>
  addressOf(url, {
    allowed: process.env.COINTILL_PLAIN_HTTP === 'allow',
    allow: 'set COINTILL_PLAIN_HTTP=allow beside COINTILL_URL',
  });

/** What the environment says goes first. A kept token is sent to the address that it was kept for and nowhere else. */
export const placeToCall = async (): Promise<Place> => {
  const { COINTILL_URL: url, COINTILL_TOKEN: token } = process.env;
  if (token)
    return {
      url: url ? addressIn(url) : ((await keptLogin())?.url ?? LOCAL),
      token: tokenIn(token, 'COINTILL_TOKEN'),
    };
  const login = await keptLogin();
  if (!login) throw usage('who are you? `cointill login`, or set COINTILL_URL and COINTILL_TOKEN');
  if (url && URL.parse(url)?.href !== new URL(login.url).href)
    throw usage(
      `the login is one of ${login.url}, not of ${shownAddress(url)}: set COINTILL_TOKEN too, or log in there`,
    );
  return login;
};
