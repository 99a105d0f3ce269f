import { Server, ServerCredentials } from '@grpc/grpc-js';
import { gate } from './cluster/gate.ts';
import { gossipHandler } from './cluster/gossip.ts';
import { type ClusterOptions, joinCluster, type Membership } from './cluster/membership.ts';
import { openSharedJournal } from './cluster/sharedJournal.ts';
import type { Context } from './context.ts';
import { createFaults, type FaultSwitches, type Faults } from './faults.ts';
import { listen } from './listener.ts';
import type { Commit } from './log/event.ts';
import { MEMORY_ONLY, openJournal } from './log/journal.ts';
import { createLog, type Log } from './log/log.ts';
import { scavenge } from './log/operations.ts';
import { writeSystemEvents } from './log/systemEvents.ts';
import { createGroups } from './persistent/groups.ts';
import { joinHandler } from './persistent/join.ts';
import { createHandler, deleteGroupHandler, infoHandler } from './persistent/manage.ts';
import { supportedMethodsHandler } from './serverFeatures.ts';
import { appendHandler } from './streams/append.ts';
import { batchAppendHandler } from './streams/batchAppend.ts';
import { deleteHandler, tombstoneHandler } from './streams/delete.ts';
import { readHandler } from './streams/read.ts';
import { coalesce } from './wire/coalesce.ts';
import { featureServices, gossipServices, persistentServices, streamServices } from './wire/definitions.ts';
import { notReady, type Refusal, shuttingDown } from './wire/refusals.ts';

export type StandInOptions = {
  /** The loopback if left out. */
  readonly host?: string;
  /** A free one if left out. */
  readonly port?: number;
  /** Where to keep the journal; without it, everything is gone with the stand-in. */
  readonly dataDir?: string;
  readonly faults?: Partial<Faults>;
  /** One node of several over the log in a directory that they share. */
  readonly cluster?: ClusterOptions;
};

export type StandIn = {
  readonly port: number;
  /** The connection string for the client. */
  readonly url: string;
  readonly faults: FaultSwitches;
  /** What an operator of the server does at times. */
  scavenge(): void;
  /** Resets all connections; new ones are taken at once. */
  cut(): void;
  /** What SIGKILL does: no goodbye. Started again with the same dataDir and port, it has what was written. */
  kill(): void;
  /** What SIGTERM does: subscriptions end with a status, calls under way are answered. */
  close(): Promise<void>;
};

/** A node has what it needs to serve before it serves. */
type Opened = { readonly log: Log; readonly closeJournal: () => void };

const openLog = (dataDir: string | undefined): Opened => {
  const journal = { current: MEMORY_ONLY };
  const log = createLog((commit) => journal.current.write(commit));
  if (dataDir !== undefined) journal.current = openJournal(dataDir, log.restore);
  writeSystemEvents(log);
  return { log, closeJournal: () => journal.current.close() };
};

const inCluster = (options: ClusterOptions) => {
  const journal = { write: (_: Commit): void => undefined };
  const log = createLog((commit) => journal.write(commit));
  const shared = openSharedJournal(options.dir, log.restore, () => process.exit(0));
  journal.write = shared.write;
  const opened: Opened = { log, closeJournal: () => undefined };
  return {
    ...opened,
    join: (onDeposed: () => void) =>
      joinCluster(options, { journal: shared, onLeading: () => writeSystemEvents(log), onDeposed }),
  };
};

const createServer = (ctx: Context, membership: Membership | undefined) => {
  /** Messages that the real server takes are up to about 16 MB; a longer one is RESOURCE_EXHAUSTED. */
  const server = new Server({
    'grpc.max_receive_message_length': 16 * 1024 * 1024,
    interceptors: [...(membership ? [gate(membership)] : []), coalesce],
  });
  server.addService(streamServices.StreamsService, {
    append: appendHandler(ctx),
    batchAppend: batchAppendHandler(ctx),
    delete: deleteHandler(ctx),
    read: readHandler(ctx),
    tombstone: tombstoneHandler(ctx),
  });
  server.addService(persistentServices.PersistentSubscriptionsService, {
    create: createHandler(ctx),
    delete: deleteGroupHandler(ctx),
    getInfo: infoHandler(ctx),
    read: joinHandler(ctx),
  });
  if (membership) server.addService(gossipServices.GossipService, { read: gossipHandler(membership) });
  server.addService(featureServices.ServerFeaturesService, { getSupportedMethods: supportedMethodsHandler });
  return server;
};

const SHUTDOWN_MS = 2000;

/** Lets calls under way end, for a while: a client may keep one open for good. */
const shutDown = (server: Server) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), SHUTDOWN_MS);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });

export const startStandIn = async (options: StandInOptions = {}): Promise<StandIn> => {
  const clustered = options.cluster && inCluster(options.cluster);
  const { log, closeJournal } = clustered ?? openLog(options.dataDir);
  const faults = createFaults(options.faults);
  const ctx: Context = { log, faults, groups: createGroups(log), openCalls: new Set(), uncommitted: new Map() };
  const endCalls = (reason: Refusal) => {
    for (const end of [...ctx.openCalls]) end(reason);
  };
  const membership = clustered?.join(() => endCalls(notReady()));
  const server = createServer(ctx, membership);
  const { host = '127.0.0.1', port = 0 } = options;
  const listener = await listen(server.createConnectionInjector(ServerCredentials.createInsecure()), { host, port });
  return {
    port: listener.port,
    url: `esdb://${host}:${listener.port}?tls=false`,
    faults,
    scavenge: () => scavenge(log),
    cut: listener.cut,
    kill: () => {
      membership?.stop();
      listener.close();
      listener.cut();
      server.forceShutdown();
      ctx.groups.close(shuttingDown());
      closeJournal();
    },
    close: async () => {
      listener.close();
      membership?.stop();
      endCalls(shuttingDown());
      ctx.groups.close(shuttingDown());
      await shutDown(server);
      closeJournal();
    },
  };
};
