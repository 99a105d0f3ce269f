import { ServerInterceptingCall, type ServerInterceptingCallInterface, type ServerInterceptor } from '@grpc/grpc-js';

/** Messages of one call on their way to the socket at a time. */
const WINDOW = 64;

/**
 * Without this, each message waits until the one before it is on the socket, and costs both sides a frame of its own:
 * within the window they are handed over at once, and travel together.
 */
class CoalescingCall extends ServerInterceptingCall {
  #underway = 0;
  #waiting: (() => void) | undefined;

  override sendMessage(message: unknown, callback: () => void) {
    this.#underway++;
    super.sendMessage(message, () => this.#sent());
    if (this.#underway < WINDOW) callback();
    else this.#waiting = callback;
  }

  #sent() {
    this.#underway--;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }
}

export const coalesce: ServerInterceptor = (_, call: ServerInterceptingCallInterface) => new CoalescingCall(call);
