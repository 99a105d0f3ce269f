import { freePort } from '../../support/free-port.ts';

/** Ports of the loopback that were free a moment ago, all different. */
export const freePorts = async (count: number): Promise<number[]> => {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
};
