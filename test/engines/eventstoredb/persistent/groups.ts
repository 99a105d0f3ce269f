import type { Log } from '../log/log.ts';
import { systemEvent } from '../log/operations.ts';
import type { GroupName, Refusal } from '../wire/refusals.ts';
import { createGroup, type Group } from './group.ts';
import type { GroupConfig } from './settings.ts';

export type Groups = {
  find(name: GroupName): Group | undefined;
  all(): readonly Group[];
  create(config: GroupConfig): void;
  remove(name: GroupName, reason: Refusal): void;
  /** Drops consumers and timers; the groups stay in the log. */
  close(reason: Refusal): void;
};

const CONFIG_STREAM = '$persistentSubscriptionConfig';
const keyOf = ({ stream, group }: GroupName) => `${stream}::${group}`;

const readConfigs = (log: Log): GroupConfig[] => {
  const last = log.stream(CONFIG_STREAM)?.events.at(-1);
  return last ? JSON.parse(Buffer.from(last.data).toString('utf8')).entries : [];
};

/** Groups outlive a restart as events of a system stream, the newest of which names them all. */
export const createGroups = (log: Log): Groups => {
  const groups = new Map(readConfigs(log).map((config) => [keyOf(config), createGroup(log, config)]));
  const keep = () => {
    const entries = [...groups.values()].map(({ config }) => config);
    log.write(CONFIG_STREAM, [systemEvent('$PersistentConfig1', JSON.stringify({ version: '2', entries }))]);
  };
  return {
    find: (name) => groups.get(keyOf(name)),
    all: () => [...groups.values()],
    create: (config) => {
      groups.set(keyOf(config), createGroup(log, config));
      keep();
    },
    remove: (name, reason) => {
      const group = groups.get(keyOf(name));
      groups.delete(keyOf(name));
      keep();
      group?.drop(reason);
    },
    close: (reason) => {
      for (const group of groups.values()) group.drop(reason);
    },
  };
};
