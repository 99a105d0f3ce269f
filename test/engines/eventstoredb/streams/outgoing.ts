import type { ServerWritableStream } from '@grpc/grpc-js';
import type { streams } from '../wire/definitions.ts';

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** False when the caller is gone instead. */
const drained = (call: ReadCall) =>
  new Promise<boolean>((resolve) => {
    const done = (more: boolean) => () => {
      call.off('drain', onDrain).off('cancelled', onGone).off('close', onGone);
      resolve(more);
    };
    const onDrain = done(true);
    const onGone = done(false);
    call.on('drain', onDrain).on('cancelled', onGone).on('close', onGone);
  });

/** Sends no faster than the caller takes it: what it has not read yet stays here, and is lost when the connection is. */
export const sendAll = async (call: ReadCall, messages: Iterable<streams.ReadResp>) => {
  for (const message of messages) {
    if (call.cancelled || call.destroyed) return;
    if (!call.write(message) && !(await drained(call))) return;
  }
  call.end();
};
