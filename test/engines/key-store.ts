import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const keytool = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)('keytool', args);
  return stdout;
};

export type KeyStore = { readonly file: string; readonly password: string; readonly ca: string };

/** A server's own certificate for the loopback, which is its authority too. Java's tool makes it: the broker needs that. */
export const makeKeyStore = async (file: string): Promise<KeyStore> => {
  const password = 'of-the-store';
  const place = ['-keystore', file, '-storetype', 'PKCS12', '-storepass', password, '-alias', 'server'];
  const named = ['-dname', 'CN=server', '-ext', 'SAN=ip:127.0.0.1'];
  await keytool('-genkeypair', ...place, ...named, '-keyalg', 'EC', '-validity', '2');
  return { file, password, ca: (await keytool('-exportcert', '-rfc', ...place)).trim() };
};
