import { type Metadata, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import { notLeader, notReady, type Refusal } from '../wire/refusals.ts';
import type { Membership } from './membership.ts';

const OPEN = /\.(Gossip|ServerFeatures)\//i;

/** A real follower forwards what is to be written; this one sends the caller to the leader. */
const WRITES = /\/(Append|BatchAppend|Delete|Tombstone|Create|Update)$|PersistentSubscriptions/;

const refusalFor = ({ state, leader }: Membership, path: string, metadata: Metadata): Refusal | undefined => {
  if (OPEN.test(path)) return undefined;
  const wantsLeader = metadata.get('requires-leader')[0] === 'true' || WRITES.test(path);
  if (!wantsLeader) return undefined;
  const now = state();
  if (now === 'leader') return undefined;
  const place = leader();
  return now === 'follower' && place ? notLeader(place) : notReady();
};

/** What a node that does not lead refuses, before any handler sees it. */
export const gate =
  (membership: Membership): ServerInterceptor =>
  ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, goOn) => {
            const refusal = refusalFor(membership, path, metadata);
            if (refusal) call.sendStatus(refusal);
            else goOn(metadata);
          },
        }),
    });
