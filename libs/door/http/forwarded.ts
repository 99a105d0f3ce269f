import type { FastifyRequest } from 'fastify';
import type { Front } from '../errors/sessions.ts';
import { isOfThisHouse } from './address-of.ts';

type Forwarded = Pick<FastifyRequest, 'headers' | 'ip' | 'ips' | 'protocol'>;

const wordsOf = (header: string | readonly string[] | undefined): readonly string[] =>
  String(header ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const hasUnbelievedProto = ({ headers, protocol }: Forwarded): boolean =>
  (wordsOf(headers['x-forwarded-proto']).at(-1) ?? protocol) !== protocol;

export const frontOf = ({ headers, ips = [] }: Pick<Forwarded, 'headers' | 'ips'>): Front => ({
  isNamed: ips.length > 1,
  saysTls: wordsOf(headers['x-forwarded-proto']).at(-1) === 'https',
});

/**
 * Who said for whom he calls, and was not believed: a proxy that nobody named, or anybody. Behind one that was named
 * whoever calls it may say what he likes, and only an address that is no stranger's may be a proxy as well.
 */
export const unbelievedOf = (
  request: Forwarded,
): { readonly address: string; readonly isNearest: boolean } | undefined => {
  const { headers, ip, ips = [ip] } = request;
  const isNearest = ips.length < 2;
  const saysMore = wordsOf(headers['x-forwarded-for']).length >= ips.length;
  const isTold = isNearest ? saysMore || hasUnbelievedProto(request) : saysMore && isOfThisHouse(ip);
  return isTold ? { address: ip, isNearest } : undefined;
};
