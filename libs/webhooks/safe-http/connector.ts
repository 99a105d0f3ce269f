import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { createLookUp, type LookUp } from './look-up.ts';
import { isPublicAddress } from './public-address.ts';
import { takenAnswers } from './taken-answers.ts';

/** Where the name or the address of an endpoint leads must not be reached from inside our network. */
export class NonPublicAddress extends Error {
  constructor() {
    super('The URL leads to a non-public address');
    this.name = 'NonPublicAddress';
  }
}

const firstOf = (addresses: readonly LookupAddress[]): LookupAddress => {
  const [first] = addresses;
  if (!first) throw new Error('a name without an address');
  return first;
};

/**
 * The socket dials what this answers, so what was judged is what is reached: no second look-up can give another
 * address. One answer that is not public spoils them all, since any of them might be dialled.
 */
const judged = (addresses: readonly LookupAddress[]): readonly LookupAddress[] => {
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
    throw new NonPublicAddress();
  return addresses;
};

const lookupBy =
  (resolve: LookUp): LookupFunction =>
  (hostname, options: LookupOptions, done) => {
    resolve(hostname).then(
      (addresses) => {
        if (options.all) return done(null, [...addresses]);
        const { address, family } = firstOf(addresses);
        return done(null, address, family);
      },
      (error) => done(error, '', 0),
    );
  };

/** A connection may take this long; an endpoint that drops packets holds its place no longer. */
const CONNECT_TIMEOUT_MS = 10_000;

export type ConnectorOptions = { readonly allowPrivate: boolean; readonly resolve?: LookUp };

const withTakenAnswers =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, takenAnswers(socket));
      else callback(error, null);
    });

/** Opens connections to public addresses alone, unless private ones are allowed. No proxy of the environment is asked. */
export const createConnector = ({
  allowPrivate,
  resolve = createLookUp(),
}: ConnectorOptions): buildConnector.connector => {
  const common = { timeout: CONNECT_TIMEOUT_MS, allowH2: false };
  if (allowPrivate) return withTakenAnswers(buildConnector({ ...common, lookup: lookupBy(resolve) }));
  const lookup = lookupBy(async (hostname) => judged(await resolve(hostname)));
  const connect = withTakenAnswers(buildConnector({ ...common, lookup }));
  return (options, callback) => {
    // A socket does not look up what is an address already. Decimal, octal and hex forms were made plain by the URL.
    if (isIP(options.hostname) !== 0 && !isPublicAddress(options.hostname)) {
      callback(new NonPublicAddress(), null);
      return;
    }
    connect(options, callback);
  };
};
