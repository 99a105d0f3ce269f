import { expect, it } from '@jest/globals';
import { containersOf, docker, told } from './containers.ts';

/** What holds for every container that runs the service's image. */
export const keepsToItself = (services: readonly string[]): void => {
  it.each(services)('runs %s as nobody of importance, and lets it write nowhere', async (service) => {
    for (const container of await containersOf(service)) {
      expect(await docker('exec', container, 'id', '-u')).toBe('10001');
      expect(await told(container, '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}}')).toBe('true [ALL]');
      await expect(docker('exec', container, 'touch', '/app/written')).rejects.toThrow(/Read-only file system/);
    }
  });

  it.each(services)('gives %s no secret by its environment', async (service) => {
    for (const container of await containersOf(service)) {
      const environment = await told(container, '{{json .Config.Env}}');
      expect(environment).toContain('DATABASE_URL_FILE=/run/secrets/database-url');
      expect(environment).not.toMatch(/postgres:\/\//);
    }
  });
};
