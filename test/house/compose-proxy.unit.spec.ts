import { BlockList, isIP } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '#platform/configuration';
import { composeFile } from './compose-file.ts';

/** What docker/proxy/haproxy.cfg sends to. */
const APPS = ['api', 'operator', 'engine'];

const listOf = (network: string): BlockList => {
  const [address = '', bits = ''] = network.split('/');
  const list = new BlockList();
  list.addSubnet(address, Number(bits), 'ipv4');
  return list;
};

const cluster = (variables: Readonly<Record<string, string>>) => {
  const { services, networks } = composeFile('compose.cluster.yaml', variables);
  const place = services.proxy?.networks;
  const address = place && 'front' in place ? (place.front?.ipv4_address ?? '') : '';
  const [range] = networks.front?.ipam?.config ?? [];
  const trustedBy = (app: string) => {
    const { TRUSTED_PROXIES } = services[app]?.environment ?? {};
    return readConfiguration(TRUSTED_PROXIES ? { TRUSTED_PROXIES } : {}).trustedProxies;
  };
  return { address, range, trustedBy };
};

describe.each([
  ['as it stands', {}],
  ['on another network', { FRONT_NETWORK: '10.9.8' }],
])('the proxy of the cluster %s', (_, variables) => {
  it.each(APPS)('is believed by %s for whom it calls, and nobody else of its network is', (app) => {
    const { address, trustedBy } = cluster(variables);
    expect(isIP(address)).toBe(4);
    expect(trustedBy(app)).toEqual([address, '127.0.0.1']);
  });

  it('has an address that nobody else is given', () => {
    const { address, range = { subnet: '', ip_range: '', gateway: '' } } = cluster(variables);
    expect(listOf(range.subnet).check(address)).toBe(true);
    expect(listOf(range.ip_range).check(address)).toBe(false);
    expect(address).not.toBe(range.gateway);
  });

  it('is believed beside proxies of the house that are before it', () => {
    const { address, trustedBy } = cluster({ ...variables, TRUSTED_PROXIES: '192.0.2.7,10.1.0.0/16' });
    for (const app of APPS) expect(trustedBy(app)).toEqual([address, '192.0.2.7', '10.1.0.0/16']);
  });
});
