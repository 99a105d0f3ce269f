import { type Recorded, SCAVENGE_POINT, SCAVENGES, TOMBSTONE_REVISION } from './event.ts';
import { firstVisible, lastRevision, type Stream } from './stream.ts';

export const isScavengePoint = ({ stream, type }: Recorded) => stream === SCAVENGES && type === SCAVENGE_POINT;

/** Of a stream that was deleted for good its tombstone is left, of any other at least the last event. */
const isTaken = ({ revision }: Recorded, stream: Stream, now: number) => {
  if (revision === TOMBSTONE_REVISION) return false;
  return stream.tombstone !== undefined || revision < Math.min(firstVisible(stream, now), lastRevision(stream));
};

/** Everything that the streams of others than the server hide, and that lies before it. */
export const scavengedBy = (
  point: Recorded,
  all: readonly Recorded[],
  streams: ReadonlyMap<string, Stream>,
): ReadonlySet<Recorded> =>
  new Set(
    all.filter((event) => {
      const stream = event.stream.startsWith('$') ? undefined : streams.get(event.stream);
      return stream !== undefined && event.position < point.position && isTaken(event, stream, point.created);
    }),
  );
