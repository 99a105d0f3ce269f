/** The messages and services as the client package ships them, so that both sides speak of the same fields. */
export { default as codes } from '@eventstore/db-client/generated/code_pb.js';
export { default as gossipServices } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
export { default as gossip } from '@eventstore/db-client/generated/gossip_pb.js';
export { default as persistentServices } from '@eventstore/db-client/generated/persistent_grpc_pb.js';
export { default as persistent } from '@eventstore/db-client/generated/persistent_pb.js';
export { default as featureServices } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
export { default as features } from '@eventstore/db-client/generated/serverfeatures_pb.js';
export { default as shared } from '@eventstore/db-client/generated/shared_pb.js';
export { default as statuses } from '@eventstore/db-client/generated/status_pb.js';
export { default as streamServices } from '@eventstore/db-client/generated/streams_grpc_pb.js';
export { default as streams } from '@eventstore/db-client/generated/streams_pb.js';
export { default as any } from 'google-protobuf/google/protobuf/any_pb.js';
export { default as empty } from 'google-protobuf/google/protobuf/empty_pb.js';
