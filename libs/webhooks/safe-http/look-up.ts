import { type LookupAddress, promises } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { isNativeError } from 'node:util/types';

/** All addresses of a name. */
export type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>;

const HOSTS_FILE = process.platform === 'win32' ? 'C:/Windows/System32/drivers/etc/hosts' : '/etc/hosts';

const QUESTION = { timeout: 2_000, tries: 2 };

/** Each name server has its tries: in all they have less than a connection may take. */
const WHOLE_MS = 8_000;

/** Some name servers never answer for a family that a name has not. */
const OTHER_FAMILY_MS = 1_000;

const withFamily = (address: string): LookupAddress => ({ address, family: isIP(address) });

/** What the machine's own list gives: the names of containers, or a partner's address that an operator has pinned. */
const listedIn = async (file: string, hostname: string): Promise<readonly LookupAddress[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(hostname) ? [withFamily(address)] : [];
  });
};

const failure = (code: 'ENOTFOUND' | 'EAI_AGAIN', hostname: string): Error =>
  Object.assign(new Error(`${code} ${hostname}`), { code });

const isUnknown = (reason: unknown): boolean =>
  isNativeError(reason) && 'code' in reason && ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(String(reason.code));

const askServers = async (hostname: string, servers: readonly string[] | undefined): Promise<LookupAddress[]> => {
  // A new one each time: it reads which servers there are when it is made, and they change while we run.
  const resolver = new promises.Resolver(QUESTION);
  if (servers) resolver.setServers(servers);
  const timers = [setTimeout(() => resolver.cancel(), WHOLE_MS)];
  const questions = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
  for (const question of questions)
    question.then(
      () => timers.push(setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS)),
      () => undefined,
    );
  const answers = await Promise.allSettled(questions);
  for (const timer of timers) clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(withFamily) : []));
  if (found.length > 0) return found;
  const unknown = answers.every((answer) => answer.status === 'rejected' && isUnknown(answer.reason));
  throw failure(unknown ? 'ENOTFOUND' : 'EAI_AGAIN', hostname);
};

type LookUpOptions = {
  /** address:port; default: those of the machine. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
};

/**
 * Asks name servers over sockets of its own. The system's way holds one of the two threads that look up names for the
 * whole process, the database's too: a few names of one partner whose servers do not answer would stop everybody.
 */
export const createLookUp = ({ servers, hostsFile = HOSTS_FILE }: LookUpOptions = {}): LookUp => {
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const listed = await listedIn(hostsFile, name);
    if (listed.length > 0) return listed;
    // Such names never leave the machine (RFC 6761, 6.3).
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'].map(withFamily);
    return askServers(hostname, servers);
  };
};
