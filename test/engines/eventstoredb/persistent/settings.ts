import type { FilterText } from '../filters.ts';
import type { From } from '../streams/starts.ts';
import { persistent } from '../wire/definitions.ts';

/** As a group was made; kept in the log, so it is plain JSON. */
export type Settings = {
  readonly resolveLinks: boolean;
  readonly extraStatistics: boolean;
  readonly maxRetryCount: number;
  readonly minCheckpointCount: number;
  readonly maxCheckpointCount: number;
  readonly maxSubscriberCount: number;
  readonly liveBufferSize: number;
  readonly readBatchSize: number;
  readonly historyBufferSize: number;
  readonly messageTimeoutMs: number;
  readonly checkpointAfterMs: number;
  readonly strategy: string;
};

export type GroupConfig = {
  readonly stream: string;
  readonly group: string;
  readonly from: From;
  readonly filter: FilterText | undefined;
  readonly settings: Settings;
};

const strategyName = (settings: persistent.CreateReq.Settings) => {
  const { ConsumerStrategy } = persistent.CreateReq;
  switch (settings.getNamedConsumerStrategy()) {
    case ConsumerStrategy.DISPATCHTOSINGLE:
      return 'DispatchToSingle';
    case ConsumerStrategy.PINNED:
      return 'Pinned';
    case ConsumerStrategy.ROUNDROBIN:
      return 'RoundRobin';
  }
};

export const readSettings = (settings: persistent.CreateReq.Settings): Settings => ({
  resolveLinks: settings.getResolveLinks(),
  extraStatistics: settings.getExtraStatistics(),
  maxRetryCount: settings.getMaxRetryCount(),
  minCheckpointCount: settings.getMinCheckpointCount(),
  maxCheckpointCount: settings.getMaxCheckpointCount(),
  maxSubscriberCount: settings.getMaxSubscriberCount(),
  liveBufferSize: settings.getLiveBufferSize(),
  readBatchSize: settings.getReadBatchSize(),
  historyBufferSize: settings.getHistoryBufferSize(),
  messageTimeoutMs: settings.getMessageTimeoutMs(),
  checkpointAfterMs: settings.getCheckpointAfterMs(),
  strategy: strategyName(settings),
});
