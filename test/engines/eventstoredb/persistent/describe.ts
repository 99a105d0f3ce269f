import type { Log } from '../log/log.ts';
import { lastRevision } from '../log/stream.ts';
import { resolveFrom } from '../streams/starts.ts';
import { persistent } from '../wire/definitions.ts';
import { lastCheckpoint, parkedCount } from './checkpoint.ts';
import type { Group } from './group.ts';
import { ALL } from './source.ts';

const placeText = (stream: string, place: number) => (stream === ALL ? `C:${place}/P:${place}` : String(place));

const lastKnown = (log: Log, stream: string) =>
  stream === ALL ? (log.all.at(-1)?.position ?? 0) : lastRevision(log.stream(stream));

/** A real group reads ahead, whether someone joined or not, and is behind when its buffer cannot hold the rest. */
const statusOf = (log: Log, { config, counts }: Group) => {
  const ahead = config.stream === ALL ? 0 : lastRevision(log.stream(config.stream)) + 1 - counts().next;
  return ahead > config.settings.historyBufferSize ? 'Behind' : 'Live';
};

const describeSettings = (info: persistent.SubscriptionInfo, { settings }: Group['config']) =>
  info
    .setResolveLinkTos(settings.resolveLinks)
    .setExtraStatistics(settings.extraStatistics)
    .setMessageTimeoutMilliseconds(settings.messageTimeoutMs)
    .setMaxRetryCount(settings.maxRetryCount)
    .setLiveBufferSize(settings.liveBufferSize)
    .setBufferSize(settings.historyBufferSize)
    .setReadBatchSize(settings.readBatchSize)
    .setCheckPointAfterMilliseconds(settings.checkpointAfterMs)
    .setMinCheckPointCount(settings.minCheckpointCount)
    .setMaxCheckPointCount(settings.maxCheckpointCount)
    .setMaxSubscriberCount(settings.maxSubscriberCount)
    .setNamedConsumerStrategy(settings.strategy);

const describeConsumers = (info: persistent.SubscriptionInfo, { consumers }: Group) =>
  info.setConnectionsList(
    consumers.map(({ capacity, inFlight }) =>
      new persistent.SubscriptionInfo.ConnectionInfo()
        .setTotalItems('0')
        .setCountSinceLastMeasurement('0')
        .setAvailableSlots(capacity - inFlight.size)
        .setInFlightMessages(inFlight.size),
    ),
  );

/** Measurements over time are left at zero. */
export const describe = (log: Log, group: Group) => {
  const { config } = group;
  const { inFlight, retries, delivered } = group.counts();
  const checkpoint = lastCheckpoint(log, config);
  const from = resolveFrom(config.from, 0, -1);
  const info = new persistent.SubscriptionInfo()
    .setEventSource(config.stream)
    .setGroupName(config.group)
    .setStatus(statusOf(log, group))
    .setStartFrom(placeText(config.stream, from))
    .setTotalItems(String(delivered))
    .setCountSinceLastMeasurement('0')
    .setLiveBufferCount('0')
    .setRetryBufferCount(retries)
    .setTotalInFlightMessages(inFlight)
    .setOutstandingMessagesCount(inFlight + retries)
    .setParkedMessageCount(String(parkedCount(log, config)))
    .setLastKnownEventPosition(placeText(config.stream, lastKnown(log, config.stream)))
    .setLastCheckpointedEventPosition(checkpoint === undefined ? '' : placeText(config.stream, checkpoint - 1));
  return describeConsumers(describeSettings(info, config), group);
};
