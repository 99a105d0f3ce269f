import type { handleUnaryCall } from '@grpc/grpc-js';
import { gossip, shared } from '../wire/definitions.ts';
import type { Membership, NodeState } from './membership.ts';

const { VNodeState } = gossip.MemberInfo;

const STATES: Readonly<Record<NodeState, gossip.MemberInfo.VNodeState>> = {
  leader: VNodeState.LEADER,
  follower: VNodeState.FOLLOWER,
  unknown: VNodeState.UNKNOWN,
  dead: VNodeState.UNKNOWN,
};

/** Of nobody in particular: the client asks for one and looks at none. */
const ID = '00000000-0000-4000-8000-00000000000';

export const gossipHandler =
  ({ members }: Membership): handleUnaryCall<shared.Empty, gossip.ClusterInfo> =>
  (_, callback) => {
    const list = members().map(({ place, state }, node) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(`${ID}${node}`))
        .setTimeStamp(String(Date.now()))
        .setState(STATES[state])
        .setIsAlive(state !== 'dead')
        .setHttpEndPoint(new gossip.EndPoint().setAddress(place.host).setPort(place.port)),
    );
    callback(null, new gossip.ClusterInfo().setMembersList(list));
  };
